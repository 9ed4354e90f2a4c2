/**
 * Bookmarks in a list, in order of time: go there, change the text, delete. `M` opens it with a new one at the cursor, `Shift+M` of the marked
 * stretch; Enter keeps it. Texts are plain values of fields: whatever a link brings is shown and never read as anything else.
 */
import { Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import {
  BOOKMARK_LETTERS,
  BOOKMARKS_MOST,
  bookmarkText,
  withBookmarks,
} from "../../store/bookmarks.ts";
import { notify } from "../../store/notices.ts";
import { closeDialog } from "../../store/shellState.ts";
import type { Bookmark } from "../../store/state.ts";
import { useApp } from "../../store/store.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { bookmarkTime, goToBookmark } from "./bookmarkTime.ts";
import "./marks.css";

type FreshBookmark = Omit<Bookmark, "text">;

export function BookmarksDialog({ fresh }: { readonly fresh: FreshBookmark | null }) {
  const bookmarks = useApp((state) => state.bookmarks);
  const calendar = useApp((state) => state.scenario?.calendarStart);
  return (
    <Dialog
      title="Bookmarks"
      description={`Times and stretches with a text of your own, at most ${BOOKMARKS_MOST}. They are part of the link.`}
      size="medium"
      open
      onClose={closeDialog}
    >
      {fresh && <NewBookmark fresh={fresh} calendar={calendar} />}
      {bookmarks.length === 0 ? (
        !fresh && <p className="part-note">None yet. M marks the time of the cursor.</p>
      ) : (
        <ul className="bookmarks" aria-label="Bookmarks">
          {bookmarks.map((bookmark, index) => (
            <BookmarkRow
              // biome-ignore lint/suspicious/noArrayIndexKey: two bookmarks may be alike.
              key={`${index} ${bookmark.atMs} ${bookmark.toMs ?? ""} ${bookmarks.length}`}
              bookmark={bookmark}
              index={index}
              calendar={calendar}
            />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

function NewBookmark({
  fresh,
  calendar,
}: {
  readonly fresh: FreshBookmark;
  readonly calendar: string | undefined;
}) {
  const [text, setText] = useState("");
  const keep = (event: FormEvent) => {
    event.preventDefault();
    const { bookmarks } = useApp.getState();
    useApp.setState({
      bookmarks: withBookmarks(bookmarks, [{ ...fresh, text: bookmarkText(text) }]),
    });
    closeDialog();
    notify(`Bookmark at ${bookmarkTime(fresh, calendar)}.`);
  };
  return (
    <form className="bookmark-new" onSubmit={keep}>
      <label className="field-label" htmlFor="bookmark-text">
        Text at {bookmarkTime(fresh, calendar)}
      </label>
      <div className="bookmark-entry">
        <input
          id="bookmark-text"
          className="input"
          // biome-ignore lint/a11y/noAutofocus: the dialog was opened to write this.
          autoFocus
          maxLength={BOOKMARK_LETTERS}
          placeholder="What is to be seen here"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <button type="submit" className="button button-primary">
          Add
        </button>
      </div>
    </form>
  );
}

function BookmarkRow({
  bookmark,
  index,
  calendar,
}: {
  readonly bookmark: Bookmark;
  readonly index: number;
  readonly calendar: string | undefined;
}) {
  const [text, setText] = useState(bookmark.text);
  const time = bookmarkTime(bookmark, calendar);
  const write = () => {
    const clean = bookmarkText(text);
    setText(clean);
    if (clean === bookmark.text) return;
    useApp.setState(({ bookmarks }) => ({
      bookmarks: bookmarks.map((one, i) => (i === index ? { ...one, text: clean } : one)),
    }));
  };
  const remove = () => {
    useApp.setState(({ bookmarks }) => ({ bookmarks: bookmarks.filter((_, i) => i !== index) }));
    notify(`Bookmark at ${time} deleted.`);
  };
  return (
    <li className="bookmark-row">
      <Button
        label={`Go to ${time}`}
        look="plain"
        onClick={() => {
          write();
          closeDialog();
          goToBookmark(bookmark);
        }}
      >
        {time}
      </Button>
      <input
        className="input"
        aria-label={`Text at ${time}`}
        maxLength={BOOKMARK_LETTERS}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={write}
        onKeyDown={(event) => event.key === "Enter" && write()}
      />
      <Button label={`Delete the bookmark at ${time}`} look="icon" icon={Trash2} onClick={remove} />
    </li>
  );
}
