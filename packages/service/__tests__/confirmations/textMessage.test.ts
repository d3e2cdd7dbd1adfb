import { confirmationTexts } from '../../src/confirmations/confirmations.messages.ts';
import { translatedLanguages, worded } from '../../src/platform/texts/worded.ts';

it.each(['en', ...translatedLanguages])(
  'the text message fits into two, with amount and payee before the code: %s',
  (language) => {
    const [amount, payee, code] = ['EUR 1234567890123.45', 'ж'.repeat(70), '734512'];
    const text = worded(confirmationTexts.code(amount, payee, code), language);
    expect(text.length).toBeLessThanOrEqual(134);
    expect(text.indexOf(amount)).toBeGreaterThanOrEqual(0);
    expect(text.indexOf(payee)).toBeGreaterThanOrEqual(0);
    expect(text.indexOf(code)).toBeGreaterThan(Math.max(text.indexOf(amount), text.indexOf(payee)));
  },
);
