import { setFieldValue } from '@shared/ui/useFilled';
import { useTakenFocus } from '@shared/ui/useTakenFocus';
import { useRef } from 'react';
import { formatPhone, recogniseCountry } from './phoneNumber';
import type { PhoneEntry } from './setup.slice';

/** The two fields of a phone number, which belong together: a number that names its country corrects the choice. */
export function usePhoneFields(takesFocus: boolean) {
  const fieldRef = useTakenFocus<HTMLInputElement>(takesFocus);
  const countryRef = useRef<HTMLSelectElement>(null);
  const choose = (country: PhoneEntry['country']): void => {
    if (countryRef.current) countryRef.current.value = country;
  };
  const typed = (): PhoneEntry => ({
    country: countryRef.current?.value === 'GB' ? 'GB' : 'US',
    text: fieldRef.current?.value.trim() ?? '',
  });
  return {
    fieldRef,
    countryRef,
    typed,
    /** Follows a prefix while it is typed or pasted, and leaves the text alone: writing there would lose digits. */
    followPrefix: (): void => {
      const named = recogniseCountry(typed().text);
      if (named) choose(named);
    },
    /** Writes the number as it is written in its country, and answers with what is there then. */
    tidy: (): PhoneEntry => {
      const tidied = formatPhone(typed());
      choose(tidied.country);
      if (fieldRef.current && fieldRef.current.value !== tidied.text)
        setFieldValue(fieldRef.current, tidied.text);
      return tidied;
    },
  };
}
