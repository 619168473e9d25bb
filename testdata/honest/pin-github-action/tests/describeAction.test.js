import describeAction from "./describeAction";

test("describes an action by owner, repository and version", () => {
  const actual = describeAction({
    owner: "mheap",
    repo: "demo",
    path: "",
    currentVersion: "v1",
  });
  expect(actual).toBe("mheap/demo@v1");
});

test("names the path of an action in a subdirectory", () => {
  const actual = describeAction({
    owner: "mheap",
    repo: "demo",
    path: "a/b",
    currentVersion: "main",
  });
  expect(actual).toBe("mheap/demo/a/b@main");
});

test("shortens a SHA", () => {
  const actual = describeAction({
    owner: "mheap",
    repo: "demo",
    path: "",
    currentVersion: "1cb496d922065fc73c8f2ff3cc33d9b251ef1aa7",
  });
  expect(actual).toBe("mheap/demo@1cb496d");
});
