import type { AppConfig } from '@vestibule/contract/appConfig';
import { createVault } from '@shared/ports/vault';
import { renderToString } from 'react-dom/server';
import { Page } from './App';
import { createAppStore } from './store';

/** A placeholder: `inlineLogin.ts` replaces the label before the page is shown. */
const brand = { label: '…', look: 'default' } as const;

/** Renders the first step of `/login` as HTML, for `scripts/build/firstStep.js`. */
export function prerender(): string {
  const { store } = createAppStore();
  const config = {
    brands: { default: brand, 'supplier-hub': brand },
    extensions: [],
  } as unknown as AppConfig;
  return renderToString(<Page store={store} config={config} vault={createVault()} />);
}
