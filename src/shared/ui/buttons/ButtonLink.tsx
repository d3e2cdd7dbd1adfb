import { Link, type LinkProps } from 'react-router-dom';
import type { ButtonVariant } from './Button';
import button from './Button.module.css';

/** A link that looks like a button: it leads somewhere, and is a real anchor for that. Default of `variant`: `secondary`. */
export function ButtonLink({
  variant = 'secondary',
  ...link
}: LinkProps & { readonly variant?: ButtonVariant }) {
  return <Link discover="none" className={`${button['button'] ?? ''} ${button[variant] ?? ''}`} {...link} />;
}
