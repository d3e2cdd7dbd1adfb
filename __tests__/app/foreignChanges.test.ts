import '../support/productionReact';
import { freeze } from '@dev/lab/freeze';
import { scenarios, stateOf } from '@dev/lab/scenarios';
import type { RootState } from '@app/rootReducer';
import { sessionMessages } from '@features/session';
import { screen } from '@testing-library/dom';
import userEvent from '@testing-library/user-event';
import { createRoot, type Root } from 'react-dom/client';
import { testConfig } from '../support/builders';

const user = userEvent.setup();

const given = (name: keyof typeof scenarios): RootState => {
  const state = stateOf(name);
  if (!state) throw new Error(`There is no scenario ${name}`);
  return state;
};

/** Waits for chunks, which are drawn when they have arrived. */
const arrive = () => new Promise((resolve) => setTimeout(resolve, 0));

let root: Root;
let caught: unknown[];
beforeEach(() => {
  caught = [];
  document.head.innerHTML = '<title>Sign In</title>';
  const element = document.body.appendChild(document.createElement('div'));
  element.id = 'root';
  root = createRoot(element, { onCaughtError: (error) => caught.push(error) });
});
afterEach(() => {
  root.unmount();
  document.body.replaceChildren();
});

const open = () => {
  const frozen = freeze(root, testConfig(), document);
  return {
    draw: async (name: keyof typeof scenarios) => {
      frozen.draw(given(name));
      await arrive();
    },
    move: async (name: keyof typeof scenarios) => {
      frozen.move(given(name));
      await arrive();
    },
  };
};

/** Does what an extension does that puts an element of its own around a part of the page. */
function wrap(element: Element | null | undefined): void {
  const box = document.createElement('div');
  element?.replaceWith(box);
  if (element) box.append(element);
}

describe('a text of any screen', () => {
  it('is the only child of its element, so that a page translator replaces nothing that React holds', async () => {
    const { draw } = open();
    // React makes a text node only for a text that has siblings; it writes any other into its element.
    const made = jest.spyOn(document, 'createTextNode');
    for (const name of Object.keys(scenarios)) await draw(name);
    const texts = made.mock.calls.map(([text]) => text);
    made.mockRestore();
    expect(texts).toEqual([]);
  });
});

describe('the title of the page', () => {
  it.each(['auth.signIn/username/empty', 'password.forgot/form/from the login'] as const)(
    'is in one element at %s',
    async (name) => {
      await open().draw(name);
      expect([...document.querySelectorAll('title')].map(({ text }) => text)).toEqual([document.title]);
      expect(document.title).toMatch(/^(Sign In|Request a reset link) – Payments/);
    },
  );
});

describe('an element that an extension has moved and that the page removes', () => {
  it('leaves the typed password, the focus and the caret', async () => {
    const { draw, move } = open();
    await draw('auth.signIn/choosing/window open');
    await user.type(screen.getByLabelText('Password'), 'Kite-rudder7');
    screen.getByLabelText<HTMLInputElement>('Password').setSelectionRange(2, 4);
    wrap(screen.getByRole('button', { name: 'Open again' }).parentElement);
    await move('auth.signIn/choosing/every method');

    expect(caught).toEqual([expect.objectContaining({ name: 'NotFoundError' })]);
    expect(screen.queryByText(sessionMessages.fallback.message)).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Open again' })).not.toBeInTheDocument();
    const field = screen.getByLabelText<HTMLInputElement>('Password');
    expect(field).toHaveValue('Kite-rudder7');
    expect(field).toHaveFocus();
    expect([field.selectionStart, field.selectionEnd]).toEqual([2, 4]);
    expect(screen.getByRole('button', { name: 'Sign In' })).toBeEnabled();
    expect(document.body.outerHTML).not.toContain('Kite-rudder7');
  });

  it.each(['button', 'input'])('leaves the password also where an extension has added a %s', async (tag) => {
    const { draw, move } = open();
    await draw('auth.signIn/choosing/window open');
    await user.type(screen.getByLabelText('Password'), 'Kite-rudder7');
    screen.getByLabelText('Password').after(document.createElement(tag));
    wrap(screen.getByRole('button', { name: 'Open again' }).parentElement);
    await move('auth.signIn/choosing/every method');

    expect(caught).toHaveLength(1);
    expect(screen.getByLabelText('Password')).toHaveValue('Kite-rudder7');
    expect(screen.getByLabelText('Password')).toHaveFocus();
  });

  it('leaves nothing of the former page where the extension has moved that, too', async () => {
    const { draw, move } = open();
    await draw('auth.signIn/choosing/window open');
    await user.type(screen.getByLabelText('Password'), 'Kite-rudder7');
    wrap(document.querySelector('#root > *'));
    wrap(screen.getByRole('button', { name: 'Open again' }).parentElement);
    await move('auth.signIn/choosing/every method');

    expect(document.querySelectorAll('form')).toHaveLength(1);
    expect(screen.getByLabelText('Password')).toHaveValue('Kite-rudder7');
  });

  it('leaves the digits of a code and the ticked box', async () => {
    const { draw, move } = open();
    await draw('auth.challenge/entering/new code asked');
    await user.type(screen.getByRole('textbox'), '483920');
    await user.click(screen.getByRole('checkbox'));
    wrap(screen.getByRole('button', { name: 'Resend' }).lastElementChild);
    await move('auth.challenge/entering/new code sent');

    expect(caught).toHaveLength(1);
    expect(screen.getByText('A new six digit code has been sent to your phone')).toBeInTheDocument();
    expect(screen.getByRole('textbox')).toHaveValue('483920');
    expect(screen.getByRole('checkbox')).toBeChecked();
    expect(screen.getByRole('button', { name: 'Submit' })).toBeEnabled();
  });

  it('does not submit a code again', async () => {
    const { draw, move } = open();
    await draw('mfa.enrolment/code/text message');
    // The sixth digit submits it.
    await user.type(screen.getByRole('textbox'), '483920');
    const verify = () => screen.getByRole('button', { name: 'Verify' });
    expect(verify()).toHaveAttribute('aria-busy', 'true');
    wrap(verify().lastElementChild);
    await move('mfa.enrolment/code/text message');

    expect(caught).toHaveLength(1);
    expect(screen.getByRole('textbox')).toHaveValue('483920');
    expect(verify()).not.toHaveAttribute('aria-busy');
    expect(verify()).toBeEnabled();
  });

  it('leaves both passwords, and the rules that the first one meets', async () => {
    const { draw, move } = open();
    await draw('password.newPassword/editing/reset');
    await user.type(screen.getByLabelText('New password'), 'Harbour-gate8');
    await user.type(screen.getByLabelText('Confirm password'), 'Harbour');
    await move('password.newPassword/saving/reset');
    wrap(screen.getByRole('button', { name: 'Set New Password' }).lastElementChild);
    await move('password.newPassword/editing/reset');

    expect(caught).toHaveLength(1);
    expect(screen.getByLabelText('New password')).toHaveValue('Harbour-gate8');
    expect(screen.getByLabelText('Confirm password')).toHaveValue('Harbour');
    expect(screen.getByText('no spaces').parentElement).toHaveTextContent('✓');
  });

  it('leaves names outside of a form', async () => {
    const { draw, move } = open();
    await draw('password.newPassword/editing/activate');
    await user.type(screen.getByLabelText('First name'), 'Nia');
    await user.type(screen.getByLabelText('Last name'), 'Okafor');
    await move('password.newPassword/saving/activate');
    wrap(screen.getByRole('button', { name: 'Activate' }).lastElementChild);
    await move('password.newPassword/editing/activate');

    expect(caught).toHaveLength(1);
    expect(screen.getByLabelText('First name')).toHaveValue('Nia');
    expect(screen.getByLabelText('Last name')).toHaveValue('Okafor');
  });

  it('shows the fallback message if mounting the page again does not help', async () => {
    const frozen = freeze(root, testConfig(), document);
    const state = given('dialogs/loginError/noMethods');
    const [dialog] = state['ui-dialogs'];
    const broken = Object.defineProperty({ ...dialog }, 'title', {
      get: () => {
        throw new DOMException('', 'NotFoundError');
      },
    });
    frozen.draw({ ...state, 'ui-dialogs': [broken] } as unknown as RootState);
    expect(await screen.findByText(sessionMessages.fallback.message)).toBeInTheDocument();
  });
});
