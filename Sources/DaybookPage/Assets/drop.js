// Takes a file that is dropped anywhere on a screen that asks for one. Without it one chooses the file, or pastes its text.

/** The field of the present screen that takes a file, or the text of one. */
const field = () => document.querySelector("main input[type=file], main textarea[name=ics]");
const mark = isOver => document.documentElement.classList.toggle("file-over", isOver);
const hasFile = event => event.dataTransfer?.types.includes("Files") && field() !== null;

document.addEventListener("dragover", event => {
  if (!hasFile(event)) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = "copy";
  mark(true);
});
document.addEventListener("dragleave", event => { if (!event.relatedTarget) mark(false); });

document.addEventListener("drop", async event => {
  const file = event.dataTransfer?.files[0], target = field();
  if (!file || !target) return;
  event.preventDefault();
  mark(false);
  if (target.type === "file") {
    const one = new DataTransfer();
    one.items.add(file);
    target.files = one.files;
    // The next screen only tells what the file would bring.
    target.form.requestSubmit();
  } else {
    target.closest("details")?.setAttribute("open", "");
    target.value = await file.text();
    target.focus();
  }
});
