import { openMistakes, refusedWith, type Mistake, guide, page, without } from '../support/mistakes.ts';

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
];

let made: Awaited<ReturnType<typeof openMistakes>>;
beforeAll(async () => {
  made = await openMistakes();
});
afterAll(() => {
  made.close();
});

test.each(mistakes)('%s is refused by check and by serve', async (_mistake, sentence, change) => {
  expect(await made.refusalsOf(change)).toEqual(refusedWith(sentence));
});
