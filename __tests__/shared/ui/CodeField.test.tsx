import { CodeField } from '@shared/ui/fields/CodeField';
import { editCode } from '@shared/ui/fields/codeText';
import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import fc from 'fast-check';
import type { ComponentProps } from 'react';

type Given = Partial<ComponentProps<typeof CodeField>>;

function codeField(given: Given) {
  return (
    <CodeField
      label="MFA code"
      description="6 digits"
      red={false}
      restarts={0}
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

const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'MFA code' });

/** Puts the caret, or a selection, where the user clicks or drags. */
const select = (start: number, end = start) => field().setSelectionRange(start, end);

/** What password managers, scripts and the browser's own autofill do: no key, and no data with the event. */
const setByScript = (text: string) => fireEvent.input(field(), { target: { value: text } });

/** As an input method does: the text of the field changes while it is composed. */
function compose(...texts: readonly string[]): void {
  fireEvent.compositionStart(field());
  for (const text of texts) {
    field().setRangeText(text, 0, field().value.length, 'end');
    fireEvent.input(field(), { isComposing: true });
  }
  fireEvent.compositionEnd(field());
}

/** Types as a browser does: a digit of another script can be two UTF-16 units. */
function typeByKey(digits: string): void {
  for (const data of digits) {
    const key = { inputType: 'insertText', data, bubbles: true, cancelable: true };
    if (!fireEvent(field(), new InputEvent('beforeinput', key))) continue;
    field().setRangeText(data, field().selectionStart ?? 0, field().selectionEnd ?? 0, 'end');
    fireEvent.input(field(), key);
  }
}

describe('the code field', () => {
  it('replaces the digit at the caret, and deletes with Backspace and Delete', async () => {
    const { onChange } = renderField();
    await userEvent.keyboard('1234{Backspace}');
    expect(field()).toHaveValue('123');
    await userEvent.keyboard('{ArrowLeft}{ArrowLeft}9');
    expect(field()).toHaveValue('193');
    expect(field().selectionStart).toBe(2);
    await userEvent.keyboard('{Delete}');
    expect(onChange).toHaveBeenLastCalledWith('19');
    await userEvent.keyboard('x{Backspace}{Backspace}{Backspace}');
    expect(field()).toHaveValue('');
  });

  it('is one labelled field, read left to right, that says how long a code is', () => {
    renderField();
    expect(screen.getAllByRole('textbox')).toEqual([field()]);
    expect(field()).toHaveAccessibleDescription('6 digits');
    expect(document.body.innerHTML).toContain('dir="ltr"');
  });

  it('offers one-time codes and a keyboard of digits, and cuts nothing off', () => {
    renderField();
    expect(field()).toHaveAttribute('autocomplete', 'one-time-code');
    expect(field()).toHaveAttribute('inputmode', 'numeric');
    expect(field()).not.toHaveAttribute('maxlength');
  });

  it('has no style attribute, which the content-security policy forbids', async () => {
    renderField({ red: true });
    await userEvent.keyboard('123');
    expect(document.body.innerHTML).not.toContain('style=');
  });

  it('takes the focus, except in a parent’s frame', () => {
    const { unmount } = renderField();
    expect(field()).toHaveFocus();
    unmount();
    renderField({ takesFocus: false });
    expect(document.body).toHaveFocus();
  });

  it('is filled by typing, digit by digit, and reports completion once', async () => {
    const { onChange, onComplete } = renderField();
    await userEvent.keyboard('12a3 4567');
    expect(field()).toHaveValue('123456');
    expect(onChange.mock.calls.flat()).toEqual(['1', '12', '123', '1234', '12345', '123456']);
    expect(onComplete.mock.calls).toEqual([['123456']]);
  });

  it.each([
    ['123 456', 0, '123456'],
    ['98 76-54', 5, '987654'],
    ['987654', 3, '987654'],
    ['654321 ', 2, '654321'],
    ['Your code is 987654.', 3, '987654'],
    ['In 10 minutes, 987654 expires.', 0, '987654'],
    ['٩٨٧٦٥٤', 0, '987654'],
    ['１２３ ４５６', 0, '123456'],
  ])('accepts the pasted %s behind %d digits', async (text, position, code) => {
    const { onChange, onComplete } = renderField();
    await userEvent.keyboard('11111');
    select(position);
    await userEvent.paste(text);
    expect(field()).toHaveValue(code);
    expect(onChange).toHaveBeenLastCalledWith(code);
    expect(onComplete.mock.calls).toEqual([[code]]);
  });

  it.each([
    ['Case 123456: your code is 654321', ''],
    ['12345678', '123456'],
    ['123456 654321', '123456'],
  ])('does not report %s as complete', async (text, shown) => {
    const { onComplete } = renderField();
    await userEvent.paste(text);
    expect(field()).toHaveValue(shown);
    setByScript('');
    setByScript(text);
    expect(field()).toHaveValue(shown);
    expect(onComplete).not.toHaveBeenCalled();
  });

  it.each(['४८३९२०', '৪৮৩৯২০', '๔๘๓๙๒๐', '𝟒𝟖𝟑𝟗𝟐𝟎'])(
    'accepts %s, typed, pasted, composed and set by a script',
    async (digits) => {
      const { onChange, onComplete, now } = renderField();
      const [first = '', , third = ''] = digits;
      typeByKey(digits);
      expect(onChange.mock.calls.flat()).toEqual(['4', '48', '483', '4839', '48392', '483920']);
      // A full field accepts no further digit; in the middle a digit replaces one.
      typeByKey(first);
      select(1);
      typeByKey(third);
      expect(field()).toHaveValue('433920');
      expect(field().selectionStart).toBe(2);
      now({ restarts: 1 });
      await userEvent.paste(digits);
      now({ restarts: 2 });
      compose(digits);
      now({ restarts: 3 });
      setByScript(digits);
      expect(onComplete.mock.calls).toEqual([['483920'], ['483920'], ['483920'], ['483920']]);
    },
  );

  it('notices a code that was filled without any event once it is left', () => {
    const { onComplete } = renderField();
    field().value = '123456';
    fireEvent.blur(field());
    expect(onComplete.mock.calls).toEqual([['123456']]);
  });

  it('notices it by a key, before Enter submits', async () => {
    const { onChange, onComplete } = renderField();
    field().value = '123456';
    await userEvent.keyboard('{Enter}');
    expect(onChange).toHaveBeenLastCalledWith('123456');
    expect(onComplete.mock.calls).toEqual([['123456']]);
  });

  it('does not write into the field by a key of an input method', () => {
    renderField();
    fireEvent.compositionStart(field());
    field().value = '１';
    fireEvent.keyDown(field(), { key: 'Process', isComposing: true });
    expect(field()).toHaveValue('１');
  });

  it('accepts dictated and composed digits, and does not write into the field while they are composed', () => {
    const { onChange, onComplete } = renderField();
    compose('1', '12', '123 45', '123 456');
    expect(field()).toHaveValue('123456');
    expect(onChange.mock.calls.flat()).toEqual(['1', '12', '123456']);
    expect(onComplete.mock.calls).toEqual([['123456']]);
    compose('abc');
    expect(field()).toHaveValue('');
  });

  it('accepts six pasted digits, however they are grouped, and leaves more or fewer to the browser', () => {
    const digits = fc.string({
      unit: fc.constantFrom('0', '1', '2', '3', '4', '5', '6', '7', '8', '9'),
      minLength: 1,
      maxLength: 5,
    });
    const { now } = renderField();
    let restarts = 0;
    fc.assert(
      fc.property(fc.array(digits, { maxLength: 6 }), (parts) => {
        restarts += 1;
        now({ restarts });
        fireEvent.paste(field(), { clipboardData: { getData: () => parts.join(' ') } });
        const all = parts.join('');
        expect(field()).toHaveValue(all.length === 6 ? all : '');
      }),
    );
  });

  it('holds at most six digits, whatever replaces which part of the text', () => {
    const few = (unit: readonly string[]) => fc.string({ unit: fc.constantFrom(...unit), maxLength: 8 });
    fc.assert(
      fc.property(
        few(['1', '2', '3']),
        few(['1', '2', ' ', 'x']),
        fc.nat(6),
        fc.nat(6),
        (digits, text, start, end) => {
          const before = digits.slice(0, 6);
          const head = before.slice(0, Math.min(start, end)) + text;
          const { code, caret } = editCode(before, head + before.slice(Math.max(start, end)), head.length);
          expect(code).toMatch(/^[0-9]{0,6}$/);
          expect(caret).toBeLessThanOrEqual(code.length);
        },
      ),
    );
  });

  it('is red after a wrong code, and accepts nothing then', async () => {
    const { now, onChange } = renderField();
    await userEvent.keyboard('123456');
    now({ red: true });
    expect(field()).toBeInvalid();
    await userEvent.keyboard('9{Backspace}');
    await userEvent.paste('987654');
    setByScript('987654');
    expect(field()).toHaveValue('123456');
    expect(onChange).toHaveBeenLastCalledWith('123456');
  });

  it('is emptied and focused for the next attempt, and reports it', async () => {
    const { now, onChange } = renderField({ takesFocus: false });
    await userEvent.click(field());
    await userEvent.keyboard('123456');
    fireEvent.blur(field());
    now({ restarts: 1 });
    expect(field()).toHaveValue('');
    expect(field()).toHaveFocus();
    expect(onChange).toHaveBeenLastCalledWith('');
    await userEvent.keyboard('65');
    expect(field()).toHaveValue('65');
  });

  it('keeps digits and focus during a check', async () => {
    const { now } = renderField();
    await userEvent.keyboard('123456');
    now({ disabled: true });
    await userEvent.keyboard('{Backspace}9');
    setByScript('987654');
    expect(field()).toHaveValue('123456');
    expect(field()).toHaveFocus();
  });
});

describe('the boxes under it', () => {
  const current = () =>
    Array.from(document.body.innerHTML.matchAll(/class="box"( data-current)?/g), ([, mark]) =>
      mark === undefined ? '_' : 'x',
    ).join('');

  it('show where the next digit goes, and stay at the last one', async () => {
    renderField();
    expect(current()).toBe('x_____');
    await userEvent.keyboard('12');
    expect(current()).toBe('__x___');
    await userEvent.keyboard('3456');
    expect(current()).toBe('_____x');
    await userEvent.keyboard('{Home}');
    expect(current()).toBe('x_____');
  });
});
