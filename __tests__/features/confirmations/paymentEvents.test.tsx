import { formatRecording, makeRecording } from '@app/crash/recording';
import { confirmations } from '@features/confirmations/feature';
import { screen } from '@testing-library/react';
import { testConfig } from '../../support/builders';
import { renderView } from '../../support/renderView';

const payment = {
  application: { name: 'Ledger' },
  amount: { value: '1149.90', currency: 'EUR' },
  payee: { name: 'Northwind שלום' },
};

async function detailOf(kind: 'payment-confirmed' | 'payment-declined') {
  const { eventDetails } = await confirmations.eventTexts.load();
  if (!eventDetails) throw new Error('The chunk is empty');
  return eventDetails[kind];
}

it.each(['payment-confirmed', 'payment-declined'] as const)(
  'the activity of an account shows amount, payee and application, each isolated: %s',
  async (kind) => {
    const { read, Detail } = await detailOf(kind);
    const detail = read({ id: '1', kind, payment: { ...payment, other: 'hidden' } });
    expect(detail).toEqual({ payment });
    renderView(<Detail detail={detail ?? {}} />);
    expect(screen.getAllByRole('paragraph').map(({ textContent }) => textContent)).toEqual([
      '€1,149.90 · To Northwind שלום',
      'Requested by Ledger',
    ]);
    for (const text of ['€1,149.90', payment.payee.name, payment.application.name])
      expect(screen.getByText(text).tagName).toBe('BDI');
  },
);

it.each([
  ['says nothing of it', {}],
  ['says it in another form', { payment: { ...payment, amount: '1149.90' } }],
])('there are no details of a payment where the service %s', async (_what, event) => {
  const { read } = await detailOf('payment-confirmed');
  expect(read(event)).toBeNull();
});

it('a recording of the activity has no amount, payee or application', () => {
  const entries = [{ kind: 'payment-confirmed', detail: { payment } }];
  const message = `${payment.payee.name} of Ledger`;
  const events = [
    { type: 'dialogs/dialogOpened', payload: { message } },
    { type: 'activity/listLoaded', payload: { list: 'events', entries } },
  ].map((action, at) => ({ at, action }));
  const facts = { config: testConfig(), look: 'default', embedding: 'none' } as const;
  const text = formatRecording(makeRecording({ start: () => undefined, events }, facts));
  expect(text).toContain('"currency":"EUR"');
  expect(text).not.toMatch(/1149|Northwind|Ledger/);
});
