/** @jest-environment node */
import { enrolmentMethodChosen } from '@features/mfa';
import { wayRequested } from '@shared/slots';
import { answers } from '../../support/builders';
import { fakeDeps } from '../../support/fakeDeps';
import { enterUsername, openApp } from '../../support/openApp';
import { arrangeSignIn } from '../../support/usualResponses';
import { openChallenge } from './challenge/openChallenge';
import { openSettings } from './verify-identity/openVerify';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

/** Its chunk was lost, or there is none of this name. */
describe('another way without its code gives the screen back', () => {
  const requested = wayRequested('missing');

  it('at the method step', async () => {
    const app = openApp(fakeDeps());
    arrangeSignIn(app.deps.api, answers.session());
    await enterUsername(app);
    await app.send(requested);
    expect(app.signIn().phase).toBe('choosing');
  });

  it('at the second step', async () => {
    const app = await openChallenge();
    await app.send(requested);
    expect(app.state().auth.challenge.phase).toBe('entering');
  });

  it('at verify identity', async () => {
    const app = await openSettings();
    await app.send(enrolmentMethodChosen({ method: 'text' }));
    await app.send(requested);
    expect(app.state().auth.verification.screen.phase).toBe('asking');
  });
});
