import { I18nProvider } from '@lingui/react';
import { createChunk } from '@shared/chunk';
import { FeaturesContext } from '@shared/contexts';
import type { Feature } from '@shared/deps';
import { english } from '@shared/texts';
import { useEventText } from '@shared/eventTexts';
import { act, screen } from '@testing-library/react';
import { renderView } from '../support/renderView';

const badges: Feature = {
  name: 'badges',
  eventTexts: createChunk(() =>
    Promise.resolve({
      eventMessages: { activity: { 'badge-lost': { id: 'badges.lost', message: 'Badge lost' } } },
    }),
  ),
};

function Names({ of }: { readonly of: readonly string[] }) {
  const nameOf = useEventText('activity', { locked: { id: 'locked', message: 'Account locked' } });
  return of.map((kind) => nameOf(kind) ?? 'unknown').join(', ');
}

it('an event has the name that the feature in use gives it, also where no saga has loaded the names', async () => {
  const names = (features: readonly Feature[]) => (
    <I18nProvider i18n={english}>
      <FeaturesContext value={features}>
        <Names of={['locked', 'badge-lost', 'constructor']} />
      </FeaturesContext>
    </I18nProvider>
  );
  const { rerender } = renderView(names([{ name: 'other' }]));
  expect(screen.getByText('Account locked, unknown, unknown')).toBeVisible();
  rerender(names([{ name: 'other' }, badges]));
  await act(() => Promise.resolve());
  expect(screen.getByText('Account locked, Badge lost, unknown')).toBeVisible();
});
