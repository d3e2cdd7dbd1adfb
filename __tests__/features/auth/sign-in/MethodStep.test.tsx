import { MethodStep } from '@features/auth/sign-in/MethodStep';
import { act, fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentProps } from 'react';
import { answers } from '../../../support/builders';
import { enterUsername, settle } from '../../../support/openApp';
import { arrive, renderApp, user } from '../../../support/renderApp';
import { openWith } from './openWith';
import { renderView } from '../../../support/renderView';

type Props = ComponentProps<typeof MethodStep>;

const onBack = jest.fn<undefined, []>();
const onPassword = jest.fn<undefined, [string]>();
const onProvider = jest.fn<undefined, Parameters<Props['onProvider']>>();
const onAbandonProvider = jest.fn<undefined, []>();
const props: Props = {
  username: 'ada@example.com',
  methods: ['basic', 'google', 'microsoft'],
  busy: null,
  failures: 0,
  takesFocus: true,
  forgot: '/forgot-password',
  onBack,
  onPassword,
  onProvider,
  provider: null,
  otherWays: [],
  onAbandonProvider,
};

beforeEach(() => {
  for (const spy of [onBack, onPassword, onProvider]) spy.mockReset();
});

const step = (some: Partial<Props> = {}) => <MethodStep {...props} {...some} />;
const password = () => screen.getByLabelText<HTMLInputElement>('Password');
const button = (name: string) => screen.getByRole('button', { name });

describe('the step of the sign-in methods', () => {
  it.each(['x', '  '])('enables Sign In only with a password, which blanks are too: %j', async (entered) => {
    renderView(step());
    expect(button('Sign In')).toBeDisabled();
    await userEvent.type(password(), entered);
    expect(button('Sign In')).toBeEnabled();
    await userEvent.click(button('Sign In'));
    expect(onPassword.mock.calls).toEqual([[entered]]);
  });

  it('shows the username on the back link', async () => {
    renderView(step());
    await userEvent.click(button('ada@example.com'));
    expect(onBack).toHaveBeenCalledTimes(1);
  });

  it('shows only the offered methods', () => {
    const { rerender } = renderView(step({ methods: ['basic'] }));
    expect(screen.queryByRole('button', { name: /^Sign in with/ })).not.toBeInTheDocument();
    rerender(step({ methods: ['google'] }));
    expect(screen.queryByLabelText('Password')).not.toBeInTheDocument();
    expect(button('Sign in with Google')).toBeEnabled();
    expect(screen.queryByRole('button', { name: 'Sign in with Microsoft' })).not.toBeInTheDocument();
  });

  it('is disabled during the sign-in, with a spinner in the pressed button only', () => {
    renderView(step({ busy: 'google' }));
    expect(button('Sign in with Google')).toHaveAttribute('aria-busy', 'true');
    for (const name of ['Sign In', 'Sign in with Google', 'Sign in with Microsoft']) {
      expect(button(name)).toBeDisabled();
    }
    expect(button('Sign In')).not.toHaveAttribute('aria-busy');
    expect(button('ada@example.com')).toBeEnabled();
  });

  it('submits nothing twice', () => {
    const { rerender } = renderView(step());
    password().value = 'Secret1';
    rerender(step({ busy: 'basic' }));
    fireEvent.submit(password());
    expect(onPassword).not.toHaveBeenCalled();
  });

  it('keeps the password as it was sent while it is checked', async () => {
    const { rerender } = renderView(step());
    await userEvent.type(password(), 'Secret1');
    rerender(step({ busy: 'basic' }));
    await userEvent.type(password(), '{Backspace}9');
    expect(password()).toHaveValue('Secret1');
  });
});

describe('after a failed attempt', () => {
  it('the password is empty and has the focus', async () => {
    const { rerender } = renderView(step());
    await userEvent.type(password(), 'wrong');
    button('Sign In').focus();
    rerender(step({ busy: 'basic' }));
    rerender(step({ failures: 1 }));
    expect(password()).toHaveValue('');
    expect(password()).toHaveFocus();
    expect(button('Sign In')).toBeDisabled();
  });

  it('of a provider the password stays, and the focus returns to the button', async () => {
    const { rerender } = renderView(step());
    await userEvent.type(password(), 'half');
    button('Sign in with Google').focus();
    rerender(step({ busy: 'google' }));
    rerender(step({ failures: 1 }));
    expect(password()).toHaveValue('half');
    expect(button('Sign in with Google')).toHaveFocus();
  });
});

describe('the focus', () => {
  it('is in the password field', () => {
    renderView(step());
    expect(password()).toHaveFocus();
  });

  it('is on the title if there is no password field', () => {
    renderView(step({ methods: ['google', 'microsoft'] }));
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
  });

  it('stays in the parent in a parent’s frame if there is no password field', () => {
    renderView(step({ methods: ['google'], takesFocus: false }));
    expect(document.body).toHaveFocus();
  });
});

describe('the link to ‘Forgot password’', () => {
  beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

  const url = 'url=http%3A%2F%2Fledger.payments.localhost%3A4000%2F';

  it.each([
    ['', ''],
    [`?${url}`, `?${url}`],
    [`?mode=verify&${url}`, `?${url}`],
  ])('from /login%s has the query %j, and never a mode', async (query, carried) => {
    const app = openWith(answers.session(), { path: `/login${query}` });
    await renderApp(app);
    await act(() => enterUsername(app));
    await act(() => settle());
    const link = await screen.findByRole('link', { name: 'Forgot your password?' });
    expect(link).toHaveAttribute('href', `/forgot-password${carried}`);
    await user.click(link);
    await arrive();
    expect(app.address()).toBe(`/forgot-password${carried}`);
  });
});
