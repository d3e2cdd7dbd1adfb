import { asciiDigits, editCode, isDigit, wholeCode } from '@shared/ui/fields/codeText';

const messages: readonly (readonly [text: string, code: string])[] = [
  ['G-483920 is your Google verification code.', '483920'],
  ['483920 is your Payments code. Never share it.\n\n@login.payments.example #483920', '483920'],
  ['Your 2-step code is 483 920', '483920'],
  ['2FA: 483-920', '483920'],
  ['Security alert 2026: your code is 483 920', '483920'],
  ['<#> 483920 is your Uber code. Never share it. qlRnn4A1sbt', '483920'],
  ['[10:32, 03/07/2026] Bank: 483920 is your code', '483920'],
  ['Use code 483920 by 03/07/2026 10:32. Call 020 7946 0018 if it was not you.', '483920'],
  ['You pay €1,234.56 to Kiln Ltd. Your code: 483920', '483920'],
  ['You pay $250000 to Kiln Ltd. Your code: 483920', '483920'],
  ['Transfer of 250 000 € to IBAN GB29 6016 1331 9268 19. Code 483920', '483920'],
  ['Order 12345678: your code is 483920.', '483920'],
  ['Ticket 7654321. 483920 is your Steam Guard code.', '483920'],
  ['Card ending 4242: enter 483920 within 10 minutes', '483920'],
  ['Not you? Call +1 202-555-0143. Code: 483920', '483920'],
  ['Not you? Call 07700 900123. Code: 483920', '483920'],
  ['Your WhatsApp code: 483-920\nDon’t share this code', '483920'],
  ['(483920) Microsoft access code', '483920'],
  ['Votre code est 483\u00a0920. Il expire dans 10 minutes.', '483920'],
  ['Ihr Code lautet 483\u2009920, gültig bis 10:45 Uhr', '483920'],
  ['Ihre TAN für 1.250,00 EUR: 483\u202f920', '483920'],
  ['Su código es 483–920', '483920'],
  ['Код: 483\u2011920. Никому не сообщайте', '483920'],
  ['【Acme】验证码483920,10分钟内有效', '483920'],
  ['認証コードは４８３９２０です。', '483920'],
  ['رمز التحقق هو ٤٨٣٩٢٠ صالح لمدة ١٠ دقائق', '483920'],
  ['\u200fקוד האימות שלך: \u200e483920\u200f', '483920'],
  ['کد شما: ۴۸۳ ۹۲۰', '483920'],
  ['आपका कोड ४८३९२० है', '483920'],
  ['รหัส OTP ของคุณคือ ๔๘๓๙๒๐ (Ref: AB12)', '483920'],
  ['483920', '483920'],
  [' 483 920\n', '483920'],
  ['98 76-54', '987654'],
  ['1 2 3 4 5 6', '123456'],
  ['12 34 56', '123456'],
  ['4\n8\n3\n9\n2\n0', '483920'],
  ['483−920', '483920'],
];

describe('the code in a pasted text', () => {
  it.each(messages)('%j', (text, code) => {
    expect(wholeCode(text)).toBe(code);
    expect(editCode('', text, text.length)).toEqual({ code, caret: 6, isCut: false });
  });

  it.each([
    ['Case 123456: your code is 483920', 'two groups of six'],
    ['Your code is 483920, not 483 921', 'two groups'],
    ['Order 12345678 is on its way', 'a number of eight digits'],
    ['Call 07700 900123', 'a phone number'],
    ['Call +44 20 7946 0018', 'a phone number in groups'],
    ['Call 12 345 678', 'a number in groups of three'],
    ['You paid $123456.78', 'an amount'],
    ['You paid 250 000 €', 'an amount in groups'],
    ['Your card 12 ending 34 expires 56', 'digits between words'],
    ['commit a483920b', 'digits in a word'],
    ['10:30:45', 'a time'],
    ['31/12/26', 'a date'],
    ['', 'nothing'],
  ])('%j holds none that is certain: %s', (text) => {
    expect(wholeCode(text)).toBeNull();
    expect(editCode('12', `12${text}`, text.length + 2)).toEqual({ code: '12', caret: 2, isCut: false });
  });

  it.each(['1234567', '12345678', '123456 654321', '1234 5678'])('%j is cut, and reported as cut', (text) => {
    expect(wholeCode(text)).toBeNull();
    expect(editCode('', text, text.length)).toEqual({ code: '123456', caret: 6, isCut: true });
  });

  it('that a script writes over digits that begin like it', () => {
    const text = '483920 is your code, valid for 10 minutes';
    expect(editCode('4', text, text.length).code).toBe('483920');
  });
});

describe('digits', () => {
  const everyDigit = Array.from({ length: 0x110000 }, (_, point) => point)
    .filter((point) => point < 0xd800 || point > 0xdfff)
    .map((point) => String.fromCodePoint(point))
    .filter(isDigit);

  it('of every script count', () => {
    expect(everyDigit.length).toBeGreaterThanOrEqual(650);
    expect(everyDigit.map(asciiDigits).join('')).toBe('0123456789'.repeat(everyDigit.length / 10));
    expect(asciiDigits(everyDigit.join('a'))).toBe(everyDigit.map(asciiDigits).join('a'));
  });

  it('count as the languages of the platform write them', () => {
    const written = Intl.supportedValuesOf('numberingSystem').flatMap((numberingSystem) => {
      const format = new Intl.NumberFormat('en', { numberingSystem, useGrouping: false });
      const digits = format.format(9_876_543_210);
      return Array.from(digits).every(isDigit) ? [digits] : [];
    });
    expect(written.length).toBeGreaterThan(50);
    expect([...new Set(written.map(asciiDigits))]).toEqual(['9876543210']);
  });

  it.each(['४८३९२०', '৪৮৩৯২০', '๔๘๓๙๒๐', '𝟒𝟖𝟑𝟗𝟐𝟎', '𝟦𝟪𝟥𝟫𝟤𝟢', '𝟺𝟾𝟹𝟿𝟸𝟶', '٤٨٣٩٢٠', '４８３ ９２０'])(
    'such as %s are a code',
    (text) => {
      expect(wholeCode(text)).toBe('483920');
    },
  );

  it('of two UTF-16 units replace the next digit, and move the caret behind themselves', () => {
    expect(editCode('123456', '12𝟗3456', 4)).toEqual({ code: '129456', caret: 3, isCut: false });
    expect(editCode('123456', '12𝟗456', 4)).toEqual({ code: '129456', caret: 3, isCut: false });
    expect(editCode('12', '12𝟗𝟖', 6)).toEqual({ code: '1298', caret: 4, isCut: false });
  });
});
