/** A CSS module: the class names that its file defines, as the build has renamed them. */
declare module '*.module.css' {
  const styles: Readonly<Record<string, string>>;
  export default styles;
}

/** A global style sheet, imported for its effect. */
declare module '*.css';
