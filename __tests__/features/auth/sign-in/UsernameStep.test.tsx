import { UsernameStep } from '@features/auth/sign-in/UsernameStep';
import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ComponentProps } from 'react';
import { renderView } from '../../../support/renderView';

type Props = ComponentProps<typeof UsernameStep>;

const onSubmit = jest.fn<undefined, Parameters<Props['onSubmit']>>();
const onFirstInput = jest.fn<undefined, []>();
const props: Props = {
  username: '',
  rememberMe: false,
  busy: false,
  listed: [],
  takesFocus: true,
  onFirstInput,
  onSubmit,
};

beforeEach(() => {
  onSubmit.mockReset();
  onFirstInput.mockReset();
});

const step = (some: Partial<Props> = {}) => <UsernameStep {...props} {...some} />;
const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Username' });
const remember = () => screen.getByRole('checkbox', { name: 'Remember Me' });
const next = () => screen.getByRole('button', { name: 'Next' });

describe('the username step', () => {
  it('submits the trimmed username and the choice to remember it', async () => {
    renderView(step());
    await userEvent.type(field(), '  ada@example.com ');
    await userEvent.click(remember());
    await userEvent.click(next());
    expect(onSubmit.mock.calls).toEqual([[{ username: 'ada@example.com', rememberMe: true }]]);
    expect(field()).toHaveValue('ada@example.com');
  });

  it('trims the visible text on blur', async () => {
    renderView(step());
    await userEvent.type(field(), ' ada ');
    await userEvent.tab();
    expect(field()).toHaveValue('ada');
  });

  it('enables Next only for a username that is not blank', async () => {
    renderView(step());
    expect(next()).toBeDisabled();
    await userEvent.type(field(), '   ');
    expect(next()).toBeDisabled();
    await userEvent.type(field(), 'ada');
    expect(next()).toBeEnabled();
    await userEvent.clear(field());
    expect(next()).toBeDisabled();
  });

  it('can be submitted only once while the methods load', async () => {
    const { rerender } = renderView(step());
    await userEvent.type(field(), 'ada');
    rerender(step({ busy: true }));
    expect(next()).toBeDisabled();
    expect(next()).toHaveAttribute('aria-busy', 'true');
    expect(field()).toHaveAttribute('readonly');
    fireEvent.submit(field());
    expect(onSubmit).not.toHaveBeenCalled();
  });
});

describe('the remembered username', () => {
  it('is filled in, and can be submitted at once', async () => {
    renderView(step({ username: 'ada', rememberMe: true }));
    expect(field()).toHaveValue('ada');
    expect(remember()).toBeChecked();
    await userEvent.click(next());
    expect(onSubmit.mock.calls).toEqual([[{ username: 'ada', rememberMe: true }]]);
  });

  it('is filled in when it becomes known after the first paint', () => {
    const { rerender } = renderView(step());
    rerender(step({ username: 'ada', rememberMe: true }));
    expect(field()).toHaveValue('ada');
    expect(remember()).toBeChecked();
    expect(next()).toBeEnabled();
  });

  it('never overwrites input', async () => {
    const { rerender } = renderView(step());
    await userEvent.type(field(), 'bob');
    await userEvent.click(remember());
    rerender(step({ username: 'ada', rememberMe: false }));
    expect(field()).toHaveValue('bob');
    expect(remember()).toBeChecked();
  });

  it('is replaced by the name of another account', () => {
    const { rerender } = renderView(step({ username: 'ada', rememberMe: true }));
    rerender(step({ username: 'bob', rememberMe: true }));
    expect(field()).toHaveValue('bob');
  });
});

describe('a username that was entered without a key event', () => {
  const fillSilently = (value: string) => {
    field().value = value;
  };

  it.each([
    ['the mouse button is pressed', () => fireEvent.pointerDown(next())],
    ['the field takes the focus', () => fireEvent.focusIn(field())],
    ['the browser reports that it filled in the field', () => fireEvent.animationStart(field())],
    ['a password manager reports a change', () => fireEvent.change(field(), { target: {} })],
    ['a key is pressed', () => fireEvent.keyDown(field(), { key: 'Enter' })],
  ])('enables Next as soon as %s', (_when, happen) => {
    renderView(step());
    fillSilently('ada');
    happen();
    expect(next()).toBeEnabled();
  });

  it('enables Next when the browser shows a value that scripts cannot read yet', () => {
    renderView(step());
    const input = field();
    const matches = input.matches.bind(input);
    jest
      .spyOn(input, 'matches')
      .mockImplementation((selector) => selector === ':autofill' || matches(selector));
    fireEvent.animationStart(input);
    expect(next()).toBeEnabled();
  });
});

describe('the first input', () => {
  it('is reported once', async () => {
    renderView(step());
    expect(onFirstInput).not.toHaveBeenCalled();
    await userEvent.type(field(), 'ada');
    expect(onFirstInput).toHaveBeenCalledTimes(1);
  });

  it('is not reported for a remembered username', () => {
    renderView(step({ username: 'ada' }));
    expect(onFirstInput).not.toHaveBeenCalled();
  });
});

describe('the focus', () => {
  it('is in the field', () => {
    renderView(step());
    expect(field()).toHaveFocus();
  });
});
