import semver from 'semver';
import getDistVersion from './getDistVersion';

interface IPackage {
  name: string;
  version: string;
}

/** What kind of update a newer version would be, or false if there is none. */
const updateKind = async (pkg: IPackage, distTag = 'latest') => {
  const version = await getDistVersion(pkg.name, distTag);
  return semver.gt(version, pkg.version) && semver.diff(pkg.version, version);
};

export default updateKind;
