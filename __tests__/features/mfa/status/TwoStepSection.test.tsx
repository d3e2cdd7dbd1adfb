import { TwoStepSection } from '@features/mfa/status/TwoStepSection';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderView } from '../../../support/renderView';

const act = {
  onGetStarted: jest.fn<undefined, []>(),
  onChangeMethod: jest.fn<undefined, []>(),
  onTurnOff: jest.fn<undefined, []>(),
  onTryAgain: jest.fn<undefined, []>(),
};
beforeEach(() => {
  for (const spy of Object.values(act)) spy.mockReset();
});

const section = () => within(screen.getByRole('region', { name: '2-Step Verification' }));
const actions = () =>
  section()
    .queryAllByRole('button')
    .map(({ textContent }) => textContent);

describe('the 2-step status', () => {
  it('offers Get Started when it is off', async () => {
    renderView(<TwoStepSection status={{ kind: 'off' }} {...act} />);
    expect(section().queryByText('active')).not.toBeInTheDocument();
    expect(actions()).toEqual(['Get Started']);
    await userEvent.click(section().getByRole('button', { name: 'Get Started' }));
    expect(act.onGetStarted).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['text', 'SMS Text Message', 'Change Number'],
    ['app', 'Authenticator App', 'Add New App'],
  ] as const)('says that %s is active, and offers to change or end it', async (method, name, change) => {
    renderView(<TwoStepSection status={{ kind: 'active', method }} {...act} />);
    expect(section().getByText(name)).toBeInTheDocument();
    expect(section().getByText('active')).toBeInTheDocument();
    expect(actions()).toEqual([change, 'Turn Off']);
    await userEvent.click(section().getByRole('button', { name: change }));
    await userEvent.click(section().getByRole('button', { name: 'Turn Off' }));
    expect(act.onChangeMethod).toHaveBeenCalledTimes(1);
    expect(act.onTurnOff).toHaveBeenCalledTimes(1);
  });

  it('shows the phone number of the messages if it is known', () => {
    const { rerender } = renderView(<TwoStepSection status={{ kind: 'active', method: 'text' }} />);
    expect(section().getByText(/ending in/)).toHaveClass('reserved');
    rerender(<TwoStepSection status={{ kind: 'active', method: 'text', lastFourPhone: '0143' }} />);
    expect(section().getByText('Phone number ending in 0143')).not.toHaveClass('reserved');
  });

  it('has no buttons where nothing can be changed', () => {
    const { rerender } = renderView(<TwoStepSection status={{ kind: 'active', method: 'app' }} />);
    expect(actions()).toEqual([]);
    rerender(<TwoStepSection status={{ kind: 'off' }} />);
    expect(actions()).toEqual([]);
  });

  it('shows that it is loading', () => {
    renderView(<TwoStepSection status={{ kind: 'loading' }} {...act} />);
    expect(section().getByRole('status')).toHaveTextContent('Loading your 2-step status');
    expect(actions()).toEqual([]);
  });

  it('shows no status if it could not be loaded, and offers to try again', async () => {
    renderView(<TwoStepSection status={{ kind: 'failed' }} {...act} />);
    expect(section().getByRole('alert')).toHaveTextContent('Your 2-step status could not be loaded.');
    await userEvent.click(section().getByRole('button', { name: 'Try Again' }));
    expect(act.onTryAgain).toHaveBeenCalledTimes(1);
  });
});
