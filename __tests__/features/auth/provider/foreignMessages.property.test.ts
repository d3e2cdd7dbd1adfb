/** @jest-environment node */
import fc from 'fast-check';
import { settle } from '../../../support/openApp';
import { anyMessage, isGenuine } from './anyMessage';
import { openReturn } from './openReturn';
import { openWithProviders } from './openWithProviders';
import { examples } from '../../../support/examples';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

/** For all of them on a busy machine, ms. */
const patienceMs = 60_000;
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** What the ports let through to whoever listens, as long as the pop-up cannot have said it. */
const forged = anyMessage.filter(isObject).filter((message) => !isGenuine(message));

describe('whatever another window says', () => {
  it(
    'on the channel or as the window, a pending flow accepts nothing of it, answers nothing, and lives on',
    async () => {
      const app = await openWithProviders();
      const window = await app.choose('microsoft');
      const pending = app.state();
      const dispatched = app.dispatched();
      fc.assert(
        fc.property(forged, fc.boolean(), (message, onChannel) => {
          if (onChannel) app.sayOnChannel('state-1', message);
          else if ('state' in message) window.inside.post(message);
          else window.say(message);
          expect(app.state()).toBe(pending);
        }),
        { numRuns: examples(5000) },
      );
      await settle();
      expect(app.dispatched()).toBe(dispatched);
      expect(app.deps.api.auth.token).not.toHaveBeenCalled();
      expect([app.deps.log.errors, app.deps.log.warnings, window.heard]).toEqual([[], [], []]);
      expect(app.traces()).toEqual({ channels: ['state-1'], states: ['state-1'], listeners: 1 });

      // It was listening all the time.
      window.say({ type: 'oauth/code', code: 'code-1' });
      await settle();
      expect(app.deps.api.auth.token).toHaveBeenCalledTimes(1);
    },
    patienceMs,
  );

  it('with a genuine code, but on the channel of another state, is nobody’s', async () => {
    const app = await openWithProviders();
    await app.choose('google');
    const other = fc.oneof(fc.string(), fc.constantFrom('state-1 ', 'state-2', 'State-1', 'state', ''));
    fc.assert(
      fc.property(
        other.filter((state) => state !== 'state-1'),
        (state) => {
          app.sayOnChannel(state, { type: 'oauth/code', code: 'stolen' });
          expect(app.signIn().phase).toBe('choosing');
        },
      ),
    );
    await settle();
    expect(app.deps.api.auth.token).not.toHaveBeenCalled();
  });

  it(
    'to the pop-up, it takes nothing but the answer for the answer',
    async () => {
      const page = openReturn('?code=code-1&state=state-1');
      await settle();
      const notTheAnswer = anyMessage
        .filter(isObject)
        .filter((message) => !('type' in message && message.type === 'oauth/received'));
      fc.assert(
        fc.property(notTheAnswer, fc.boolean(), (message, onChannel) => {
          if (onChannel) page.answerOnChannel(message);
          else page.answerAsOpener(message);
          expect(page.state().auth.oauthReturn.phase).toBe('passing');
        }),
        { numRuns: examples(5000) },
      );
      expect(page.deps.popup.closedSelf()).toBe(false);
      expect(page.deps.log.errors).toEqual([]);
      page.answerAsOpener({ type: 'oauth/received' });
      await settle();
      expect(page.deps.popup.closedSelf()).toBe(true);
    },
    patienceMs,
  );
});
