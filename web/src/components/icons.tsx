/** Icons: drawn here, 20 by 20, in the colour of the text around them. */
import type { ComponentChildren } from "preact";

function Icon({ children }: { children: ComponentChildren }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      {children}
    </svg>
  );
}

export const Check = () => (
  <Icon>
    <path d="m4.5 10.5 3.7 3.7 7.3-8" />
  </Icon>
);
export const Cross = () => (
  <Icon>
    <path d="m5.5 5.5 9 9m0-9-9 9" />
  </Icon>
);
export const Clock = () => (
  <Icon>
    <circle cx="10" cy="10" r="6.8" />
    <path d="M10 6.2V10l2.6 1.8" />
  </Icon>
);
export const Magnifier = () => (
  <Icon>
    <circle cx="8.8" cy="8.8" r="5" />
    <path d="m12.6 12.6 4 4" />
  </Icon>
);
export const Upload = () => (
  <Icon>
    <path d="M10 13V4m0 0L6.5 7.5M10 4l3.5 3.5M4 13v3h12v-3" />
  </Icon>
);
export const Download = () => (
  <Icon>
    <path d="M10 4v9m0 0 3.5-3.5M10 13 6.5 9.5M4 13.5V16h12v-2.5" />
  </Icon>
);
export const Moon = () => (
  <Icon>
    <path d="M16 11.8A6.5 6.5 0 0 1 8.2 4a6.5 6.5 0 1 0 7.8 7.8Z" />
  </Icon>
);
export const Sun = () => (
  <Icon>
    <circle cx="10" cy="10" r="3.2" />
    <path d="M10 2.5v1.7m0 11.6v1.7M2.5 10h1.7m11.6 0h1.7M4.7 4.7l1.2 1.2m8.2 8.2 1.2 1.2m0-10.6-1.2 1.2m-8.2 8.2-1.2 1.2" />
  </Icon>
);
export const Question = () => (
  <Icon>
    <path d="M7.3 7.4a2.7 2.7 0 1 1 3.9 2.4c-.8.5-1.2.9-1.2 1.9M10 14.7v.1" />
  </Icon>
);
export const Pin = () => (
  <Icon>
    <path d="M7 3.5h6l-.7 5 2.2 2.5h-9l2.2-2.5-.7-5ZM10 11v5.5" />
  </Icon>
);
export const Undo = () => (
  <Icon>
    <path d="M5 8h7a4 4 0 0 1 0 8H8M5 8l3-3M5 8l3 3" />
  </Icon>
);
export const Left = () => (
  <Icon>
    <path d="m12 5-5 5 5 5" />
  </Icon>
);
export const Right = () => (
  <Icon>
    <path d="m8 5 5 5-5 5" />
  </Icon>
);
export const Plus = () => (
  <Icon>
    <path d="M10 4.5v11M4.5 10h11" />
  </Icon>
);
export const Minus = () => (
  <Icon>
    <path d="M4.5 10h11" />
  </Icon>
);
export const Fit = () => (
  <Icon>
    <path d="M4 7.5V4h3.5M12.5 4H16v3.5M16 12.5V16h-3.5M7.5 16H4v-3.5" />
  </Icon>
);
export const Brand = () => (
  <svg class="brand-mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <rect width="32" height="32" rx="8" />
    <path d="M9 22 16 9" />
    <path d="M17.5 11 22.5 20" stroke-dasharray=".1 4.6" />
    <circle cx="16" cy="9" r="3.6" />
    <circle cx="9" cy="22.5" r="3.6" />
    <circle cx="23" cy="22.5" r="3.6" />
  </svg>
);
