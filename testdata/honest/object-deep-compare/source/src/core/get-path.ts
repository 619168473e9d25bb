/**
 * Follows a path as it is reported for differences
 * @param value - Value to start from
 * @param path - Path such as 'user.tags[1]'
 * @returns What is there, or undefined
 */
export const GetPath = (value: unknown, path: string): unknown => {
  const keys = path.match(/[^.[\]]+/g) ?? [];
  let current: any = value;

  for (const key of keys) {
    if (current === null || current === undefined) {
      return undefined;
    }
    current = current[key];
  }

  return current;
};
