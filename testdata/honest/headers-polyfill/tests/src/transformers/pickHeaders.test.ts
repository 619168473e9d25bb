import { pickHeaders } from './pickHeaders'

describe('given a headers object', () => {
  const headers = {
    Accept: ['application/json', 'text/xml'],
    'Content-Type': 'application/pdf',
    'X-Token': 'abc',
  }

  it('picks headers whatever the case of their names', () => {
    expect(pickHeaders(['accept', 'CONTENT-TYPE'], headers)).toEqual({
      Accept: ['application/json', 'text/xml'],
      'Content-Type': 'application/pdf',
    })
  })

  it('leaves out names that it does not have', () => {
    expect(pickHeaders(['x-token', 'x-other'], headers)).toEqual({
      'X-Token': 'abc',
    })
    expect(pickHeaders([], headers)).toEqual({})
  })
})
