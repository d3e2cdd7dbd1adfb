import {
  both,
  refusals,
  refusedWith,
  type Mistake,
  guide,
  page,
  service,
  without,
} from '../support/mistakes.ts';

const reports = { id: 'reports', name: 'Reports' };

const mistakes: readonly Mistake[] = [
  [
    'clients without their extension',
    `service.clients has no effect: page.extensions does not list openid or confirmations. ${guide}`,
    service({ clients: [reports] }),
  ],
  [
    'a client with a missing file of its secret',
    "The secretFile of the client 'reports': ENOENT: no such file or directory, open 'FOLDER/none'",
    both(
      without('passkeys'),
      page({ extensions: ['openid'] }),
      service({ clients: [{ ...reports, secretFile: 'none' }] }),
    ),
  ],
];

const refusalsOf = refusals();

test.each(mistakes)('%s is refused by check and by serve', async (_mistake, sentence, change) => {
  expect(await refusalsOf(change)).toEqual(refusedWith(sentence));
});
