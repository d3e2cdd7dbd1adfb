import { refusals, refusedWith, type Mistake, guide, page, without } from '../support/mistakes.ts';

const mistakes: readonly Mistake[] = [
  [
    'a mistyped extension',
    `page.extensions lists 'passkey', which is not known: the nearest name is passkeys. ${guide}`,
    page({ extensions: ['passkey'] }),
  ],
  [
    'an extension without its key',
    `page: Configuration key 'passkeys.rpId' is missing. ${guide}`,
    without('passkeys'),
  ],
  [
    'a key without its extension',
    `page.passkeys has no effect: page.extensions does not list passkeys. ${guide}`,
    page({ extensions: [] }),
  ],
  [
    'a public suffix',
    'passkeys.rpId (PASSKEYS_RP_ID) is co.uk, a public suffix, below which others have names too: browsers refuse its passkeys. Use acme.co.uk.',
    page({
      signOnUrl: 'https://login.acme.co.uk',
      serviceUrl: 'https://api.acme.co.uk',
      cookies: { prefix: 'payments', domain: 'acme.co.uk' },
      redirectHosts: [],
      parentOrigins: [],
      shortLinkHosts: [],
      supplierHosts: [],
      extensions: ['passkeys'],
      passkeys: { rpId: 'co.uk' },
    }),
  ],
];

const refusalsOf = refusals();

test.each(mistakes)('%s is refused by check and by serve', async (_mistake, sentence, change) => {
  expect(await refusalsOf(change)).toEqual(refusedWith(sentence));
});
