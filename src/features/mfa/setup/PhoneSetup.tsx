import { Button } from '@shared/ui/Button';
import layout from '@shared/ui/layout.module.css';
import { SelectField } from '@shared/ui/SelectField';
import { TextField } from '@shared/ui/TextField';
import { useFilled } from '@shared/ui/useFilled';
import type { SubmitEvent } from 'react';
import { mfaMessages } from '../mfa.messages';
import { readPhone } from './phoneNumber';
import type { PhoneEntry, PhoneNumber } from './setup.slice';
import { SetupCard, type WayBack } from './SetupCard';
import { usePhoneFields } from './usePhoneFields';

interface PhoneSetupProps {
  /** What the fields start with; never put over what was typed. */
  readonly entry: PhoneEntry;
  /** What was to be sent is no phone number. */
  readonly refused: boolean;
  /** The number is being sent. */
  readonly busy: boolean;
  /** Whether the field takes the focus by itself; not in a parent's frame (decisions §6). */
  readonly takesFocus: boolean;
  readonly back: WayBack;
  /** A field was left, a country chosen, or what was refused is being changed. */
  readonly onEdited: (entry: PhoneEntry) => void;
  readonly onRefused: (entry: PhoneEntry) => void;
  readonly onSubmit: (entry: PhoneEntry, number: PhoneNumber) => void;
}

/** Room for a number with its prefix and any usual way of spacing; what is longer was never one. */
const maxLength = 32;

/** `/authy-collect-info/{uid}`: step 1 of text messages (specification §2). The fields are uncontrolled. */
export function PhoneSetup(props: PhoneSetupProps) {
  const { entry, refused, busy, takesFocus, back, onEdited, onRefused, onSubmit } = props;
  const words = mfaMessages.phone;
  const { fieldRef, countryRef, typed, followPrefix, tidy } = usePhoneFields(takesFocus);
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
    <SetupCard step={1} heading={words.title} backLabel={words.back} back={back}>
      {/* `noValidate`: what is wrong is said in our words. `post`: a number never lands in the address. */}
      <form method="post" noValidate className={layout['stack']} onSubmit={submit}>
        <SelectField
          ref={countryRef}
          label={words.country}
          name="country"
          autoComplete="tel-country-code"
          options={words.countries}
          defaultValue={entry.country}
          disabled={busy}
          onChange={() => onEdited(typed())}
        />
        <TextField
          ref={fieldRef}
          label={words.phone}
          name="phone"
          type="tel"
          autoComplete="tel"
          placeholder={words.placeholder}
          maxLength={maxLength}
          defaultValue={entry.text}
          readOnly={busy}
          error={refused ? words.invalid : undefined}
          hint={words.rates}
          onInput={() => {
            followPrefix();
            if (refused) onEdited(typed());
          }}
          onBlur={() => onEdited(tidy())}
        />
        <Button type="submit" variant="primary" wide busy={busy} disabled={!filled}>
          {words.submit}
        </Button>
      </form>
    </SetupCard>
  );
}
