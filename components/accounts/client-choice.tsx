"use client";

export type ClientName = { id: string; display_name: string };

type Props = {
  legend: string;
  clients: ClientName[];
  chosen: string[];
  onChange: (chosen: string[]) => void;
  error?: string;
};

/** Selects some of the clients that the viewer can access. Shows nothing to select if there is only one. */
export function ClientChoice({ legend, clients, chosen, onChange, error }: Props) {
  if (clients.length < 2) return null;
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">{legend}</legend>
      <div className="flex max-h-44 flex-col gap-0.5 overflow-y-auto rounded-control border border-line p-1.5">
        {clients.map(({ id, display_name }) => (
          <label key={id} className="flex items-center gap-2.5 rounded-[0.375rem] px-2 py-1.5 text-sm hover:bg-sunken">
            <input
              type="checkbox"
              checked={chosen.includes(id)}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, id] : chosen.filter((each) => each !== id))
              }
              className="size-4 shrink-0 accent-accent"
            />
            <span className="min-w-0 flex-1 truncate">{display_name}</span>
            {display_name !== id && <span className="max-w-[45%] truncate text-xs text-muted">{id}</span>}
          </label>
        ))}
      </div>
      {error && <p className="mt-1.5 text-sm font-medium text-bad">{error}</p>}
    </fieldset>
  );
}
