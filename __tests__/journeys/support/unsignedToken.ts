/** A token in the application's format; it is not signed, and the application does not verify signatures. */
export function unsignedToken(claims: Readonly<Record<string, unknown>>): string {
  const now = Math.floor(Date.now() / 1000);
  const whole = {
    uid: '00000000-0000-4000-8000-000000000000',
    username: 'unverified@payments.example',
    email: 'unverified@payments.example',
    firstName: 'Una',
    method: 'basic',
    isMfaSetup: false,
    personas: { ledger: [{ applicationUrl: 'http://ledger.payments.localhost/' }] },
    iat: now,
    exp: now + 900,
    ...claims,
  };
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'ES256', typ: 'JWT' })}.${part(whole)}.c2lnbmF0dXJl`;
}
