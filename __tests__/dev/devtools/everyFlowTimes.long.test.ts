import '../../support/productionReact';
import { disturb, outcomeOf } from './jumpThrough';
import { everyJourney } from './everyJourney';
import { now } from './markedSecrets';
import { loadEveryScreen, openWithDevTools, type AppWithDevTools } from './openWithDevTools';

beforeAll(loadEveryScreen);
beforeEach(() => jest.useFakeTimers({ now }));
afterEach(() => jest.useRealTimers());

describe.each(Object.entries(everyJourney))('%s', (_name, journey) => {
  it('does the same at the same times with DevTools and without, and while its log is jumped in and rewritten', async () => {
    const go = (tab: AppWithDevTools) => journey.run(tab.drive);
    // The first time loads the chunks of the journey.
    await outcomeOf(await openWithDevTools(journey, { devTools: false }), go);
    const plain = await outcomeOf(await openWithDevTools(journey, { devTools: false }), go);
    const watched = await outcomeOf(await openWithDevTools(journey, { devTools: true }), go);
    expect(watched).toEqual(plain);
    const disturbed = await outcomeOf(await openWithDevTools(journey, { devTools: true }), (tab) =>
      disturb(tab, journey),
    );
    expect(disturbed).toEqual(plain);
  });
});
