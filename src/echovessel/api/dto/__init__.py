"""What goes over the wire: strict inputs that name every unknown field, and the views that are answered."""
