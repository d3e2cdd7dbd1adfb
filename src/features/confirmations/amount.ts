import { formatAmount as formatAmountIn, type Amount } from '@vestibule/contract/amount';
import { translations } from '@shared/texts';

/** Writes an amount in the reader's language. In a recording it is masked, and shown as it is. */
export const formatAmount = (amount: Amount): string => formatAmountIn(amount, translations.language ?? 'en');
