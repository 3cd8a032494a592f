import type { ComponentChildren, JSX, VNode } from "preact";
import { Icon, type IconName } from "./icon";

type Native = Omit<JSX.ButtonHTMLAttributes, "class" | "className" | "icon">;

/** `main` is the one thing to do here, `plain` any other, `quiet` one that should not draw the eye. */
export interface ButtonProps extends Native {
  look?: "main" | "plain" | "quiet" | "danger";
  icon?: IconName;
  children: ComponentChildren;
}

export function Button({ look = "plain", icon, children, ...native }: ButtonProps): VNode {
  return (
    <button type="button" {...native} class={`button button-${look}`}>
      {icon !== undefined && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  );
}

export interface IconButtonProps extends Native {
  icon: IconName;
  /** What it does: read out, and shown when pointed at. */
  label: string;
  look?: "main" | "quiet" | "stop";
}

export function IconButton({ icon, label, look = "quiet", ...native }: IconButtonProps): VNode {
  return (
    <button type="button" title={label} aria-label={label} {...native} class={`icon-button icon-button-${look}`}>
      <Icon name={icon} />
    </button>
  );
}
