/** @jest-environment node */
import { loginHintOf } from '@features/auth/provider/loginHint';
import fc from 'fast-check';

describe('the login hint', () => {
  it.each([
    ['ada@example.com', 'ada@example.com'],
    ['ada+invoices@example.com', 'ada@example.com'],
    ['ada+one+two@example.com', 'ada@example.com'],
    ['ada+@example.com', 'ada@example.com'],
    ['Ada.Lovelace+X@Example.COM', 'Ada.Lovelace@Example.COM'],
    ['ada@sub+domain.example.com', 'ada@sub+domain.example.com'],
    ['"ada@home"@example.com', '"ada@home"@example.com'],
    ['adá+ü@exämple.com', 'adá@exämple.com'],
    ['ada_b-c%d@example.com', 'ada_b-c%d@example.com'],
  ])('of %s is %s', (username, hint) => {
    expect(loginHintOf(username)).toBe(hint);
  });

  it.each(['', 'ada', 'ada+x', '@', '@example.com', '+@example.com', '+x@example.com', 'ada@', 'ada+x@'])(
    'is none for %j, which is no e-mail',
    (username) => {
      expect(loginHintOf(username)).toBeNull();
    },
  );

  it('is, for any e-mail, the address up to its first plus, at its own domain', () => {
    const mailbox = fc.stringMatching(/^[a-z0-9._%-]{1,20}$/);
    const suffix = fc.oneof(
      fc.constant(''),
      fc.string({ maxLength: 10 }).map((text) => `+${text.replace('@', '')}`),
    );
    const domain = fc.stringMatching(/^[a-z0-9.+-]{1,20}$/);
    fc.assert(
      fc.property(mailbox, suffix, domain, (local, plus, host) => {
        expect(loginHintOf(`${local}${plus.replaceAll('@', '')}@${host}`)).toBe(`${local}@${host}`);
      }),
    );
  });
});
