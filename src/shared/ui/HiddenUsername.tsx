import a11y from './a11y.module.css';

/** Whose password a form is about, for password managers, which otherwise save it without a name. Nobody else sees it. */
export function HiddenUsername({ username }: { readonly username: string }) {
  return (
    <input
      className={a11y['visuallyHidden']}
      type="text"
      name="username"
      autoComplete="username"
      value={username}
      readOnly
      tabIndex={-1}
      aria-hidden="true"
    />
  );
}
