// Takes a whole recipe that is pasted into its title: what stands below its headings goes into the fields. Without it one types them.

const headings = {
  ingredients: /^(ingredients|zutaten)\b.*$/i,
  steps: /^(directions|instructions|method|preparation|steps|zubereitung|anleitung|schritte)\b.*$/i,
  notes: /^(notes?|tips?|notizen?|hinweise?|tipps?)\s*:?$/i,
};
const servings = /(?:serves|servings:?|yield:?|makes|für|portionen:?)\s*(\d+)|^(\d+)\s+(?:servings|portionen)/i;

/** The parts of a recipe's text; nothing if it has no heading of its ingredients. */
function parts(text) {
  const found = { head: [], ingredients: [], steps: [], notes: [] };
  let part = "head";
  for (const line of text.split("\n").map(line => line.trim()).filter(Boolean)) {
    const heading = Object.keys(headings).find(name => headings[name].test(line) && line.length < 40);
    if (heading) part = heading;
    else found[part].push(line.replace(/^(?:[-•*▢☐]|\d+[.)])\s+/, ""));
  }
  return found.ingredients.length > 0 ? found : undefined;
}

document.addEventListener("paste", event => {
  const title = event.target;
  if (!title.matches?.("[name=title]") || !title.form?.elements.ingredients) return;
  const found = parts(event.clipboardData?.getData("text/plain") ?? "");
  if (!found) return;
  event.preventDefault();
  const serves = found.head.map(line => servings.exec(line)).find(Boolean);
  const fields = {
    title: found.head[0] ?? "", ingredients: found.ingredients.join("\n"), steps: found.steps.join("\n"),
    notes: found.notes.join("\n"), base_servings: serves?.[1] ?? serves?.[2] ?? "",
  };
  for (const [name, value] of Object.entries(fields)) if (value) title.form.elements[name].value = value;
});
