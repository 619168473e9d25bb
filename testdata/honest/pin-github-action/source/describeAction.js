import isSha from "./isSha.js";

export default function (action) {
  const name = [action.owner, action.repo, action.path].filter(Boolean);
  const version = isSha(action)
    ? action.currentVersion.substr(0, 7)
    : action.currentVersion;
  return `${name.join("/")}@${version}`;
}
