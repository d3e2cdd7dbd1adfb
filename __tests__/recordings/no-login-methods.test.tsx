import { expectReplayed } from '../support/expectReplayed';

it('replays no-login-methods to the recorded screen', async () => {
  await expectReplayed(__filename);
});
