import { createPageLife } from '@shared/ports/browser/pageLife';
import type { PageLifeEvent } from '@shared/ports/ports';

const pageLife = createPageLife(window);

function turn(visibility: DocumentVisibilityState) {
  jest.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibility);
  document.dispatchEvent(new Event('visibilitychange'));
}

function transition(type: 'pageshow' | 'pagehide', persisted: boolean) {
  const event = new Event(type);
  Object.defineProperty(event, 'persisted', { value: persisted });
  window.dispatchEvent(event);
}

afterEach(() => {
  jest.restoreAllMocks();
});

it('reports the events of the page, in order', () => {
  const heard: PageLifeEvent[] = [];
  const stop = pageLife.subscribe((event) => heard.push(event));
  turn('hidden');
  turn('visible');
  window.dispatchEvent(new Event('offline'));
  window.dispatchEvent(new Event('online'));
  transition('pagehide', true);
  transition('pageshow', true);
  stop();
  expect(heard).toEqual(['hidden', 'shown', 'offline', 'online', 'left', 'restored']);
});

it('does not report an ordinary load as a return from the back/forward cache', () => {
  const listener = jest.fn();
  const stop = pageLife.subscribe(listener);
  transition('pageshow', false);
  stop();
  expect(listener).not.toHaveBeenCalled();
});

it('reports leaving for good and leaving into the back/forward cache', () => {
  const listener = jest.fn();
  const stop = pageLife.subscribe(listener);
  transition('pagehide', false);
  stop();
  expect(listener.mock.calls).toEqual([['left']]);
});

it('reports no event of any kind after the unsubscription', () => {
  const listener = jest.fn();
  pageLife.subscribe(listener)();
  turn('hidden');
  window.dispatchEvent(new Event('offline'));
  window.dispatchEvent(new Event('online'));
  transition('pagehide', true);
  transition('pageshow', true);
  expect(listener).not.toHaveBeenCalled();
});

it('returns the current state of the page', () => {
  jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  expect([pageLife.isVisible(), pageLife.isOnline()]).toEqual([false, false]);
  jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible');
  jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  expect([pageLife.isVisible(), pageLife.isOnline()]).toEqual([true, true]);
});
