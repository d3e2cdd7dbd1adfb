import { createChunk } from '@shared/chunk';
import { FeaturesContext } from '@shared/contexts';
import type { Feature } from '@shared/deps';
import { useEventText } from '@shared/eventTexts';
import { act, render, screen } from '@testing-library/react';

const badges: Feature = {
  name: 'badges',
  eventTexts: createChunk(() =>
    Promise.resolve({ eventMessages: { activity: { 'badge-lost': 'Badge lost' } } }),
  ),
};

function Names({ of }: { readonly of: readonly string[] }) {
  const nameOf = useEventText('activity', { locked: 'Account locked' });
  return of.map((kind) => nameOf(kind) ?? 'unknown').join(', ');
}

it('an event has the name that the feature in use gives it, also where no saga has loaded the names', async () => {
  const names = (features: readonly Feature[]) => (
    <FeaturesContext value={features}>
      <Names of={['locked', 'badge-lost', 'constructor']} />
    </FeaturesContext>
  );
  const { rerender } = render(names([{ name: 'other' }]));
  expect(screen.getByText('Account locked, unknown, unknown')).toBeVisible();
  rerender(names([{ name: 'other' }, badges]));
  await act(() => Promise.resolve());
  expect(screen.getByText('Account locked, Badge lost, unknown')).toBeVisible();
});
