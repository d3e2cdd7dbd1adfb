/** Jest's matchers are typed `any`; as `unknown` they fit wherever a value is expected and nowhere else. */
export const aString: unknown = expect.any(String);
export const aNumber: unknown = expect.any(Number);
export const aDate: unknown = expect.any(Date);

export function aStringLike(pattern: RegExp): unknown {
  return expect.stringMatching(pattern);
}

export function anObjectWith(properties: object): unknown {
  return expect.objectContaining(properties);
}
