// @ts-check
import ts from 'typescript';

/**
 * A text of a `*.messages.ts` file.
 *
 * @typedef {object} Text
 * @property {string} id its part and its place, such as 'login/auth signIn.title'
 * @property {string} message in English, as an ICU message; its placeholders are the positions of parameters
 * @property {Readonly<Record<string, string>>} placeholders the names of the parameters
 * @property {string | undefined} comment
 * @property {number} line from 1
 */

/** Fields that are no texts: the ids and tones of dialogs. */
const noTexts = new Set(['id', 'tone']);

/**
 * The texts that a file declares by `texts('part', { … })`: strings, functions that return a template, and those that return `plural(…)`.
 *
 * @param {string} file
 * @param {string} code
 * @returns {Text[]}
 * @throws Error for any other value, because it cannot be translated.
 */
export function textsIn(file, code) {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  /** @type {Text[]} */
  const found = [];
  /** @param {ts.Node} node @param {string} id */
  const refuse = (node, id) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    throw new Error(
      `${file}:${line + 1}: '${id}' must be a string, a template of its parameters, or a \`plural(…)\` call.`,
    );
  };
  /** @param {ts.Expression} node @param {readonly string[]} parameters @param {string} id @returns {string} */
  const messageOf = (node, parameters, id) => {
    if (ts.isStringLiteralLike(node)) return node.text;
    if (ts.isTemplateExpression(node))
      return node.templateSpans.reduce(
        (text, { expression, literal }) => `${text}{${indexOf(expression, parameters, id)}}${literal.text}`,
        node.head.text,
      );
    if (ts.isCallExpression(node) && node.expression.getText() === 'plural') {
      const [count, forms] = node.arguments;
      if (count && forms && ts.isObjectLiteralExpression(forms))
        return `{${indexOf(count, parameters, id)}, plural, ${fieldsOf(forms)
          .map(([name, form]) => `${name} {${messageOf(form, parameters, id)}}`)
          .join(' ')}}`;
    }
    return refuse(node, id);
  };
  /** @param {ts.Expression} node @param {readonly string[]} parameters @param {string} id */
  const indexOf = (node, parameters, id) => {
    const index = parameters.indexOf(node.getText());
    return index < 0 ? refuse(node, id) : index;
  };
  /** @param {ts.Expression} node @param {string} id */
  const take = (node, id) => {
    if (ts.isObjectLiteralExpression(node)) {
      for (const [name, value] of fieldsOf(node))
        if (!noTexts.has(name)) take(value, id.includes(' ') ? `${id}.${name}` : `${id} ${name}`);
      return;
    }
    const parameters = ts.isArrowFunction(node) ? node.parameters.map(({ name }) => name.getText()) : [];
    const body = ts.isArrowFunction(node) && !ts.isBlock(node.body) ? node.body : node;
    found.push({
      id,
      message: messageOf(body, parameters, id),
      placeholders: Object.fromEntries(parameters.entries()),
      comment: commentOf(node.parent),
      line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1,
    });
  };
  source.forEachChild(function visit(node) {
    const [part, tree] =
      ts.isCallExpression(node) && node.expression.getText() === 'texts' ? node.arguments : [];
    if (part && tree && ts.isStringLiteral(part)) take(tree, part.text);
    else node.forEachChild(visit);
  });
  return found;
}

/**
 * @param {ts.ObjectLiteralExpression} object
 * @returns {[string, ts.Expression][]}
 */
function fieldsOf(object) {
  return object.properties.map((property) => {
    if (!ts.isPropertyAssignment(property))
      throw new Error(`${property.getText()} must be a property with a text as its value.`);
    const { name } = property;
    return [ts.isStringLiteral(name) ? name.text : name.getText(), property.initializer];
  });
}

/** @param {ts.Node} node */
function commentOf(node) {
  const [comment] = ts.getJSDocCommentsAndTags(node);
  if (comment === undefined) return undefined;
  return comment
    .getText()
    .replace(/^\/\*\*|\*\/$/g, '')
    .replace(/^ *\* ?/gm, '')
    .trim()
    .replace(/\s*\n\s*/g, ' ');
}
