/** A CSS module exports the class names of its file, as the build has renamed them. */
declare module '*.module.css' {
  const styles: Readonly<Record<string, string>>;
  export default styles;
}

/** A global style sheet is imported for its effect. */
declare module '*.css';
