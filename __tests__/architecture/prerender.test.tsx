/** @jest-environment node */
import { App } from '@app/App';
import { createAppStore } from '@app/store';
import { locationChanged } from '@shared/routing/location.slice';
import { renderToString } from 'react-dom/server';
import { testConfig } from '../support/builders';

const pageOf = (
  arrange: (store: ReturnType<typeof createAppStore>['store']) => void = () => undefined,
): string => {
  const { store } = createAppStore();
  arrange(store);
  return renderToString(<App store={store} config={testConfig()} />);
};

describe('the application rendered without a browser', () => {
  it('shows the first step of /login, in its initial state', () => {
    const view = pageOf();
    expect(view).toMatch(/<form[^>]* method="post"/);
    expect(view).toMatch(/<input[^>]* autoComplete="username"/i);
    expect(view).toContain('Remember Me');
    expect(view).toContain('Next');
    expect(view).not.toMatch(/type="password"/);
    // Its policy would block an inline style.
    expect(view).not.toMatch(/<style|style=/);
  });

  it('is the same page each time, so that the browser can hydrate it', () => {
    expect(pageOf()).toBe(pageOf());
  });

  it('keeps the variant of the query', () => {
    const at = (search: string) => (store: ReturnType<typeof createAppStore>['store']) =>
      void store.dispatch(locationChanged({ route: 'login', pathname: '/login', search, key: '' }));
    expect(pageOf(at('?supplierHub'))).toContain('Supplier Hub');
    expect(pageOf(at('?application=ledger'))).toContain('Ledger');
    expect(pageOf()).toContain('Payments');
  });

  it('does not depend on time, randomness or timers', () => {
    const refuse = (name: string) => () => {
      throw new Error(`${name} was touched while drawing`);
    };
    const spies = [
      jest.spyOn(Date, 'now').mockImplementation(refuse('Date.now')),
      jest.spyOn(Math, 'random').mockImplementation(refuse('Math.random')),
      jest.spyOn(globalThis, 'setInterval').mockImplementation(refuse('setInterval')),
      jest.spyOn(globalThis, 'fetch').mockImplementation(refuse('fetch')),
    ];
    try {
      expect(pageOf()).toContain('Next');
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
  });
});
