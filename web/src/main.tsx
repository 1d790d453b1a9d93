document.title = "unmask";
