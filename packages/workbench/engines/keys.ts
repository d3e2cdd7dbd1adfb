/** Keys without a letter, as the protocol names them. */
const named: Readonly<Record<string, string>> = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE007',
  Shift: '\uE008',
  Control: '\uE009',
  ControlOrMeta: '\uE009',
  Alt: '\uE00A',
  Escape: '\uE00C',
  Space: ' ',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Delete: '\uE017',
};

interface KeyAction {
  readonly type: 'keyDown' | 'keyUp';
  readonly value: string;
}

const down = (value: string): KeyAction => ({ type: 'keyDown', value });
const up = (value: string): KeyAction => ({ type: 'keyUp', value });

/** A key, or several together as `Shift+Tab`. */
export function pressed(keys: string): readonly KeyAction[] {
  const values = keys.split('+').map((key) => named[key] ?? key);
  return [...values.map(down), ...values.toReversed().map(up)];
}

export const typed = (text: string): readonly KeyAction[] =>
  Array.from(text).flatMap((key) => [down(key), up(key)]);

/** The body of the command that performs them. */
export const keysOf = (actions: readonly KeyAction[]) => ({
  actions: [{ type: 'key', id: 'keys', actions }],
});
