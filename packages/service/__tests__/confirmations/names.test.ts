import { faultOfName } from '../../src/confirmations/names.ts';

it.each([
  'Northwind GmbH',
  'DE02 1203 0000 0000 2020 51',
  'Łódź & Søn – “Café” №5',
  '株式会社ノースウインド',
  'شركة الشمال',
  'ООО «Ромашка»',
  // Persian: a word with a non-joiner between letters.
  'می\u200cخواهم',
  'کُ\u200cش',
  // Hindi and Sinhala: joiners behind the sign that removes a vowel.
  'क्\u200dष',
  'ශ්\u200dරී ලංකා',
  'Rose \u2764\ufe0f',
  'Family \u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
  'Pride \u{1f3f3}\ufe0f\u200d\u{1f308}',
  '1\ufe0f\u20e3 Shop',
  'Team \u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  // An Arabic number sign is a format character that is drawn.
  '\u0600٤٢',
])('a name may be %j', (name) => {
  expect(faultOfName(name.normalize('NFC'))).toBeNull();
});

const notDrawn = (codePoint: string) => `has ${codePoint}, of which nothing is drawn there`;

it.each([
  ['a control character', 'Eve\u0007', notDrawn('U+0007')],
  ['a line break', 'Eve\nAda', notDrawn('U+000A')],
  ['a line separator', 'Eve\u2028Ada', notDrawn('U+2028')],
  ['half a character', 'Eve\ud800', notDrawn('U+D800')],
  ['what reverses the text that follows', 'Eve \u202e', notDrawn('U+202E')],
  ['an isolate', '\u2066DE02', notDrawn('U+2066')],
  ['a zero-width space', 'Ev\u200be', notDrawn('U+200B')],
  ['a soft hyphen', 'Ev\u00ade', notDrawn('U+00AD')],
  ['hidden tags', 'Eve\u{e0041}', notDrawn('U+E0041')],
  ['a filler', '\u3164', notDrawn('U+3164')],
  ['a blank of Braille', 'Eve\u2800', notDrawn('U+2800')],
  ['an empty note', 'Eve\u{1d159}', notDrawn('U+1D159')],
  ['a code point that is not assigned', 'Eve\u0378', notDrawn('U+0378')],
  ['a noncharacter', 'Eve\uffff', notDrawn('U+FFFF')],
  ['a character for private use', 'Eve\ue000', notDrawn('U+E000')],
  ['a character for private use of another plane', 'Eve\u{f0000}', notDrawn('U+F0000')],
  ['the anchor of an annotation', 'Eve\ufff9', notDrawn('U+FFF9')],
  ['the separator of an annotation', 'Eve\ufffaAda', notDrawn('U+FFFA')],
  ['the end of an annotation', 'Eve\ufffb', notDrawn('U+FFFB')],
  ['a non-joiner between Latin letters', 'North\u200cwind', notDrawn('U+200C')],
  ['a joiner between Latin letters', 'North\u200dwind', notDrawn('U+200D')],
  ['a joiner between digits', '10\u200d00', notDrawn('U+200D')],
  ['a joiner between letters of two scripts', 'م\u200dक', notDrawn('U+200D')],
  ['two joiners', 'می\u200c\u200cخواهم', notDrawn('U+200C')],
  ['a joiner at the end', 'می\u200c', notDrawn('U+200C')],
  ['a joiner alone', '\u200d', notDrawn('U+200D')],
  ['a joiner between a letter and an emoji', 'م\u200d\u{1f600}', notDrawn('U+200D')],
  ['a joiner between emoji that make no other', '\u{1f600}\u200d\u{1f600}', notDrawn('U+200D')],
  ['a variation selector behind a letter', 'Eve\ufe0f', notDrawn('U+FE0F')],
  ['the first variation selector', 'Eve\ufe00', notDrawn('U+FE00')],
  ['a variation selector of ideographs', '葛\u{e0100}', notDrawn('U+E0100')],
  ['two variation selectors', '\u2764\ufe0f\ufe0f', notDrawn('U+FE0F')],
  ['a blank that does not break', 'DE02\u00a01203', 'has the blank U+00A0: only U+0020 is accepted'],
  ['a wide blank', '山田\u3000太郎', 'has the blank U+3000: only U+0020 is accepted'],
  ['two blanks in a row', 'Eve  Ada', 'has two blanks in a row'],
  ['a blank before it', ' Eve', 'begins or ends with a blank'],
  ['a blank behind it', 'Eve ', 'begins or ends with a blank'],
  ['a blank alone', ' ', 'begins or ends with a blank'],
  ['marks alone', '\u0301', 'has no character that is drawn'],
])('a name does not have %s', (_what, name, fault) => {
  expect(faultOfName(name.normalize('NFC'))).toBe(fault);
});
