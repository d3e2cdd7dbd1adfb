import { useLingui } from '@lingui/react';
import { paths } from '@vestibule/contract/paths';
import { Button } from '@shared/ui/buttons/Button';
import layout from '@shared/ui/layout.module.css';
import { SelectField } from '@shared/ui/fields/SelectField';
import { TextField } from '@shared/ui/fields/TextField';
import { setFieldValue, useFilled } from '@shared/ui/fields/useFilled';
import { useAutoFocus } from '@shared/ui/useAutoFocus';
import { useLayoutEffect, useRef, type SubmitEvent } from 'react';
import { mfaMessages } from '../../mfa.messages';
import type { PhoneEntry, PhoneNumber } from '../enrolment.slice';
import { EnrolmentCard } from '../EnrolmentCard';
import { formatPhone, readPhone, recogniseCountry } from './phoneNumber';

interface PhoneSetupProps {
  /** Initial values of the fields; never overwrite what was typed. */
  readonly entry: PhoneEntry;
  /** The submitted text is not a phone number. */
  readonly refused: boolean;
  /** The number is being sent. */
  readonly busy: boolean;
  /** Whether the field takes the focus on its own; not in an iframe. */
  readonly takesFocus: boolean;
  /** A field was left, a country chosen, or a refused text changed. */
  readonly onEdited: (entry: PhoneEntry) => void;
  readonly onRefused: (entry: PhoneEntry) => void;
  readonly onSubmit: (entry: PhoneEntry, number: PhoneNumber) => void;
}

/** Long enough for a number with its prefix and spaces. */
const maxLength = 32;

/** `/authy-collect-info/{uid}`: step 1 of text messages. The fields are uncontrolled. */
export function PhoneEnrolment(props: PhoneSetupProps) {
  const { _ } = useLingui();
  const { entry, refused, busy, takesFocus, onEdited, onRefused, onSubmit } = props;
  const words = mfaMessages.phone;
  const { fieldRef, countryRef, typed, followPrefix, tidy } = usePhoneFields(takesFocus, entry);
  const filled = useFilled(fieldRef);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (busy) return;
    const tidied = tidy();
    const number = readPhone(tidied);
    if (number) {
      onSubmit(tidied, number);
    } else {
      onRefused(tidied);
      fieldRef.current?.focus();
    }
  };
  return (
    <EnrolmentCard step={1} heading={_(words.title)} backLabel={_(words.back)} back={paths.accountSettings()}>
      {/* `noValidate`: errors are shown in our words. `post`: a number never lands in the address. */}
      <form method="post" noValidate className={layout['stack']} onSubmit={submit}>
        <SelectField
          ref={countryRef}
          label={_(words.country)}
          name="country"
          autoComplete="tel-country-code"
          options={{ US: _(words.countries.US), GB: _(words.countries.GB) }}
          defaultValue={entry.country}
          disabled={busy}
          onChange={() => onEdited(typed())}
        />
        <TextField
          ref={fieldRef}
          label={_(words.phone)}
          name="phone"
          type="tel"
          autoComplete="tel"
          enterKeyHint="go"
          placeholder={_(words.placeholder)}
          maxLength={maxLength}
          defaultValue={entry.text}
          readOnly={busy}
          error={refused ? _(words.invalid) : undefined}
          hint={_(words.rates)}
          onInput={() => {
            followPrefix();
            if (refused) onEdited(typed());
          }}
          onBlur={() => onEdited(tidy())}
        />
        <Button type="submit" variant="primary" wide busy={busy} disabled={!filled}>
          {_(words.submit)}
        </Button>
      </form>
    </EnrolmentCard>
  );
}

/** The two fields of a phone number: a number that names its country corrects the chosen one. */
function usePhoneFields(takesFocus: boolean, entry: PhoneEntry) {
  const fieldRef = useAutoFocus<HTMLInputElement>(takesFocus);
  const countryRef = useRef<HTMLSelectElement>(null);
  const choose = (country: PhoneEntry['country']): void => {
    if (countryRef.current) countryRef.current.value = country;
  };
  const typed = (): PhoneEntry => ({
    country: countryRef.current?.value === 'GB' ? 'GB' : 'US',
    text: fieldRef.current?.value.trim() ?? '',
  });
  // The fields differ from the entry only if DevTools shows another state.
  useLayoutEffect(() => {
    if (countryRef.current) countryRef.current.value = entry.country;
    if (fieldRef.current && fieldRef.current.value.trim() !== entry.text)
      setFieldValue(fieldRef.current, entry.text);
  }, [fieldRef, entry.country, entry.text]);
  return {
    fieldRef,
    countryRef,
    typed,
    /**
     * Selects the country of a prefix while it is typed or pasted. It does not write into the field, which would lose digits.
     */
    followPrefix: (): void => {
      const named = recogniseCountry(typed().text);
      if (named) choose(named);
    },
    /** Formats the number as in its country, and returns the values of the fields. */
    tidy: (): PhoneEntry => {
      const tidied = formatPhone(typed());
      choose(tidied.country);
      if (fieldRef.current && fieldRef.current.value !== tidied.text)
        setFieldValue(fieldRef.current, tidied.text);
      return tidied;
    },
  };
}
