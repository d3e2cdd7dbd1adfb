import { I18nProvider } from '@lingui/react';
import { english } from '@shared/texts';
import { render, type RenderResult } from '@testing-library/react';
import type { ReactElement, ReactNode } from 'react';
import { MemoryRouter } from 'react-router-dom';

/** Renders a view without the application, in English. */
export const renderView = (view: ReactElement): RenderResult => render(view, { wrapper: Surroundings });

function Surroundings({ children }: { readonly children: ReactNode }) {
  return (
    <MemoryRouter>
      <I18nProvider i18n={english}>{children}</I18nProvider>
    </MemoryRouter>
  );
}
