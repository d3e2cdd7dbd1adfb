import { expectReplayed } from '../support/replayJourney';

/** What the recording does not hold: it was removed. Change what the fault depends on; `Given` has more. */
const given = {
  username: 'ada@example.com',
  password: 'Corr3ct-horse',
  newPassword: 'N3w-correct-horse',
  code: '123456',
};

it('no-login-methods goes again as it was recorded', async () => {
  await expectReplayed(__filename, given);
});
