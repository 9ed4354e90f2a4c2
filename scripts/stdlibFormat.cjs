// The words of @stdlib's errors. The package brings a whole `printf` for them; nobody ever reads one, because nothing here passes what could be refused.
// Only the page's build takes this instead; tests and the headless program use the package.
/**
 * @param {string} text
 * @param {...unknown} values
 */
module.exports = (text, ...values) => [text, ...values].join(" ");
