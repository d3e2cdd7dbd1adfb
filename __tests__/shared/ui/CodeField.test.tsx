import { CodeField } from '@shared/ui/fields/CodeField';
import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import fc from 'fast-check';
import type { ComponentProps } from 'react';

type Given = Partial<ComponentProps<typeof CodeField>>;

function codeField(given: Given) {
  return (
    <CodeField
      label="MFA code"
      digitLabel={(position, length) => `digit ${position} of ${length}`}
      red={false}
      attempt={0}
      takesFocus
      onChange={() => undefined}
      {...given}
    />
  );
}

function renderField(given: Given = {}) {
  const onChange = jest.fn((_code: string) => undefined);
  const onComplete = jest.fn((_code: string) => undefined);
  const { rerender, unmount } = render(codeField({ onChange, onComplete, ...given }));
  return {
    onChange,
    onComplete,
    unmount,
    now: (next: Given) => rerender(codeField({ onChange, onComplete, ...given, ...next })),
  };
}

const boxes = () => screen.getAllByRole<HTMLInputElement>('textbox');
const box = (position: number) =>
  screen.getByRole<HTMLInputElement>('textbox', { name: new RegExp(`digit ${String(position)} of 6$`) });
const shown = () =>
  boxes()
    .map(({ value }) => value || '_')
    .join('');

describe('the code boxes', () => {
  it('are a named group, each with its position', () => {
    renderField();
    expect(screen.getByRole('group', { name: 'MFA code' })).toHaveAttribute('dir', 'ltr');
    expect(boxes()).toHaveLength(6);
    expect(box(1)).toHaveAccessibleName('MFA code digit 1 of 6');
    expect(box(6)).toHaveAccessibleName('digit 6 of 6');
  });

  it('accept digits, offer one-time-code autofill, and cut nothing off', () => {
    renderField();
    expect(box(1)).toHaveAttribute('autocomplete', 'one-time-code');
    for (const each of boxes()) {
      expect(each).toHaveAttribute('inputmode', 'numeric');
      expect(each).not.toHaveAttribute('maxlength');
    }
  });

  it('take the focus, except in a parent’s frame', () => {
    renderField().unmount();
    renderField({ takesFocus: false });
    expect(document.body).toHaveFocus();
    renderField().unmount();
  });

  it('are filled by typing, digit by digit, and report completion once', async () => {
    const { onChange, onComplete } = renderField();
    expect(box(1)).toHaveFocus();
    await userEvent.keyboard('12a3 456');
    expect(shown()).toBe('123456');
    expect(onChange.mock.calls.flat()).toEqual(['1', '12', '123', '1234', '12345', '123456']);
    expect(onComplete.mock.calls).toEqual([['123456']]);
  });

  it.each([
    ['123 456', 1, '123456'],
    ['98 76-54', 1, '987654'],
    ['123 456', 3, '123456'],
    ['Your code is 987654.', 3, '987654'],
    ['98 76-54', 6, '987654'],
  ])('accept the pasted %s in box %d', async (text, position, code) => {
    const { onChange, onComplete } = renderField();
    await userEvent.keyboard('11111');
    await userEvent.click(box(position));
    await userEvent.paste(text);
    expect(shown()).toBe(code);
    expect(onChange).toHaveBeenLastCalledWith(code);
    expect(onComplete.mock.calls).toEqual([[code]]);
    expect(box(6)).toHaveFocus();
  });

  it('fill in a partial code from the box where it is pasted', async () => {
    const { onComplete } = renderField();
    await userEvent.keyboard('12');
    await userEvent.paste('3-4');
    expect(shown()).toBe('1234__');
    expect(onComplete).not.toHaveBeenCalled();
  });

  it.each([1, 3])('accept a whole code that is filled into box %d by the browser or a script', (position) => {
    const { onComplete } = renderField();
    fireEvent.input(box(position), { target: { value: '123 456' } });
    expect(shown()).toBe('123456');
    expect(onComplete.mock.calls).toEqual([['123456']]);
    expect(box(6)).toHaveFocus();
  });

  it('show the first six digits of any pasted text', () => {
    const digits = fc.string({
      unit: fc.constantFrom('0', '1', '2', '3', '4', '5', '6', '7', '8', '9'),
      maxLength: 9,
    });
    const text = fc.array(fc.oneof(digits, fc.string({ maxLength: 4 })), { maxLength: 6 });
    const { now } = renderField();
    const [first, ...others] = boxes();
    let attempt = 0;
    fc.assert(
      fc.property(text, (parts) => {
        const pasted = parts.join('');
        attempt += 1;
        now({ attempt });
        fireEvent.paste(first ?? document.body, { clipboardData: { getData: () => pasted } });
        const expected = pasted.replace(/[^0-9]/g, '').slice(0, 6);
        expect([first, ...others].map((each) => each?.value).join('')).toBe(expected);
      }),
    );
  });

  it('are navigated and corrected with arrows and Backspace', async () => {
    const { onChange } = renderField();
    await userEvent.keyboard('1234');
    expect(box(5)).toHaveFocus();
    await userEvent.keyboard('{Backspace}');
    expect(shown()).toBe('123___');
    await userEvent.keyboard('{ArrowLeft}{ArrowLeft}');
    expect(box(2)).toHaveFocus();
    await userEvent.keyboard('9');
    expect(shown()).toBe('193___');
    expect(onChange).toHaveBeenLastCalledWith('193');
    await userEvent.keyboard('{ArrowRight}{Backspace}{Backspace}{Backspace}{Backspace}');
    expect(shown()).toBe('______');
    expect(box(1)).toHaveFocus();
  });

  it('are red after a wrong code, and accept no input then', async () => {
    const { now } = renderField();
    await userEvent.keyboard('123456');
    now({ red: true });
    for (const each of boxes()) expect(each).toHaveAttribute('aria-invalid', 'true');
    await userEvent.keyboard('9');
    fireEvent.paste(box(1), { clipboardData: { getData: () => '987654' } });
    expect(shown()).toBe('123456');
  });

  it('are emptied with the focus in the first box for the next attempt, and report it', async () => {
    const { now, onChange } = renderField({ takesFocus: false });
    await userEvent.click(box(1));
    await userEvent.keyboard('123456');
    now({ attempt: 1 });
    expect(shown()).toBe('______');
    expect(box(1)).toHaveFocus();
    expect(onChange).toHaveBeenLastCalledWith('');
    await userEvent.keyboard('65');
    expect(shown()).toBe('65____');
  });

  it('keep digits and focus during a check', async () => {
    const { now } = renderField();
    await userEvent.keyboard('123456');
    now({ disabled: true });
    await userEvent.keyboard('{Backspace}9');
    fireEvent.input(box(1), { target: { value: '987654' } });
    expect(shown()).toBe('123456');
    expect(box(6)).toHaveFocus();
  });

  it('are submitted by Enter', async () => {
    const onSubmit = jest.fn((event: { preventDefault: () => void }) => event.preventDefault());
    render(
      <form onSubmit={onSubmit}>
        {codeField({})}
        <button>Submit</button>
      </form>,
    );
    await userEvent.keyboard('123456{Enter}');
    expect(onSubmit).toHaveBeenCalledTimes(1);
  });
});
