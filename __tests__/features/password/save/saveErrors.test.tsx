import { ApiError } from '@shared/api/apiError';
import { screen } from '@testing-library/react';
import { button, fill, names, password, press, screens } from './drawScreens';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

describe.each(names)('what is wrong with a password to %s', (name) => {
  it.each([
    ['', 'Please enter a new password'],
    [
      'short1A',
      name === 'change' ? 'Please meet the password requirements' : 'Please match the requested format',
    ],
  ])('is said at the field: %j', async (entered, message) => {
    const app = await screens[name].open();
    await fill(name, entered);
    await press(name);
    expect(password()).toHaveAccessibleDescription(expect.stringContaining(message));
    expect(password()).toBeInvalid();
    expect(password()).toHaveFocus();
    expect(app.deps.api.password[name]).not.toHaveBeenCalled();
    expect(button(name)).toBeEnabled();
  });
});

const server = new ApiError('server', {
  status: 410,
  serverMessage: 'This link has been used.',
});
const network = new ApiError('network');

describe.each(['reset', 'activate'] as const)('a refusal to %s has the words', (name) => {
  it.each([
    ['of the service first', server, 'This link has been used.'],
    ['of the network next', network, 'Network Error'],
    ['of the network where the answer takes too long', new ApiError('timeout'), 'Network Error'],
    ['that are ours last', new ApiError('unexpected'), 'There was an error resetting your password.'],
  ])('%s', async (_name, error, message) => {
    const app = await screens[name].open();
    app.deps.api.password[name].mockRejectedValueOnce(error);
    await fill(name, 'Front-door7');
    await press(name);
    expect(screen.getByRole('alert')).toHaveTextContent(message);
    expect(password()).toHaveValue('Front-door7');
    await press(name);
    expect(screen.getByText(screens[name].saved)).toBeVisible();
  });
});

describe('a refusal to change has the words', () => {
  it.each([
    ['of passwords that differ', 'Front-door8', 'Please make sure your passwords match'],
    ['of anything else', 'Front-door7', 'There was an error resetting your password.'],
  ])('%s, and none of the service’s', async (_name, confirm, message) => {
    const app = await screens.change.open();
    app.deps.api.password.change.mockRejectedValueOnce(server);
    await fill('change', 'Front-door7', confirm);
    await press('change');
    expect(screen.getByRole('alert').textContent).toBe(message);
  });
});

describe('the fixed line of the requirements', () => {
  const line = 'Please meet the password requirements';

  it.each([
    ['an empty password', ''],
    ['one that breaks a rule', 'Front-door12345'],
    ['a refusal', 'Front-door7'],
  ])('stands on the reset page after %s', async (_name, entered) => {
    const app = await screens.reset.open();
    app.deps.api.password.reset.mockRejectedValueOnce(server);
    expect(screen.queryByText(line)).not.toBeInTheDocument();
    await fill('reset', entered);
    await press('reset');
    expect(screen.getByText(line)).toBeVisible();
  });

  it('does not stand on the page of an activation', async () => {
    await screens.activate.open();
    await press('activate');
    expect(screen.queryByText(line)).not.toBeInTheDocument();
  });
});
